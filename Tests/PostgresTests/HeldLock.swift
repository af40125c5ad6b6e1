// Blocks a statement for as long as a test needs, with an advisory lock that another connection holds.

import Postgres

/// An advisory lock of PostgreSQL that a connection holds until `release`.
struct HeldLock {
    /// Waits for the lock `$1` in its own transaction and returns `$2`.
    static let wait = Statement("wait", "select $2::int8 from (select pg_advisory_xact_lock($1::int8)) as lock")

    let number = Int(Int32.random(in: 1...Int32.max))
    private let holder: PostgresConnection

    /// Acquires a new lock on the connection.
    init(_ holder: PostgresConnection) async throws {
        self.holder = holder
        try await holder.run(script: "select pg_advisory_lock(\(number))")
    }

    /// Returns the server processes that wait for the lock, once there are `count`.
    func waiters(_ count: Int = 1) async throws -> [Int32] {
        let statement = Statement(
            "waiters", "select pid from pg_locks where locktype = 'advisory' and not granted and objid = $1::int8::oid")
        return try await eventually("\(count) processes wait for the lock") {
            let waiters = try await holder.values(of: Int32.self, statement, .reads, number)
            return waiters.count >= count ? waiters : nil
        }
    }

    func release() async throws {
        try await holder.run(script: "select pg_advisory_unlock(\(number))")
    }
}
