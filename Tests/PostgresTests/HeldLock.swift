// How a test makes a statement stand still for exactly as long as it wants: an advisory lock that another connection holds.

import Postgres

/// An advisory lock of PostgreSQL that is held until it is released.
struct HeldLock {
    /// Waits for the lock `$1` in its own transaction and answers `$2`.
    static let wait = Statement("wait", "select $2::int8 from (select pg_advisory_xact_lock($1::int8)) as lock")

    let number = Int(Int32.random(in: 1...Int32.max))
    private let holder: PostgresConnection

    /// Holds a new lock with the connection.
    init(_ holder: PostgresConnection) async throws {
        self.holder = holder
        try await holder.run(script: "select pg_advisory_lock(\(number))")
    }

    /// Returns the server processes that wait for the lock, once there are so many.
    func waiters(_ count: Int = 1) async throws -> [Int32] {
        let statement = Statement(
            "waiters", "select pid from pg_locks where locktype = 'advisory' and not granted and objid = $1::int8::oid")
        return try await eventually("\(count) wait for the lock") {
            let waiters = try await holder.values(of: Int32.self, statement, .reads, number)
            return waiters.count >= count ? waiters : nil
        }
    }

    func release() async throws {
        try await holder.run(script: "select pg_advisory_unlock(\(number))")
    }
}
