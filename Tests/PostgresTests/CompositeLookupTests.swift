// The time limits of statements that wait for a lookup of composite types.
import Foundation
import Support
import Testing

@testable import Postgres

private struct Waiting: PostgresComposite, Equatable {
    static let compositeName = "waiting"
    var value: Int32 = 0

    mutating func code(with record: inout RecordCoder) throws(CodingError) { try record.field("value", &value) }
}

@Suite("Statements that wait for a lookup of composite types", .timeLimit(.minutes(2)))
struct CompositeLookupTests {
    private let store = Statement("store", "insert into stored select ($1::waiting).value")
    private let stored = Statement("stored", "select value from stored order by value")

    /// Runs `body` with a connection and the name of a schema, which has the type and a table.
    private func withSchema(_ body: (PostgresConnection, String) async throws -> Void) async throws {
        let schema = "lookup_\(UUID().uuidString.prefix(8).lowercased())"
        try await withConnection(settings: ["search_path": schema]) { holder in
            try await holder.run(
                script: """
                    create schema \(schema);
                    create type waiting as (value integer);
                    create table stored (value integer)
                    """)
            try await body(holder, schema)
            try await holder.run(script: "drop schema \(schema) cascade")
        }
    }

    /// Lets every lookup in the schema wait for the lock. It calls unnest(text[]), and this function matches the
    /// parameter better than PostgreSQL's.
    private func blockLookups(_ schema: String, _ holder: PostgresConnection, _ lock: HeldLock) async throws {
        try await holder.run(
            script: """
                create function \(schema).unnest(text[]) returns setof text language sql as $$
                    select pg_advisory_xact_lock(\(lock.number));
                    select pg_catalog.unnest($1);
                $$
                """)
    }

    @Test("A statement that waits for a lookup behind a blocked statement fails at its send deadline and is never sent")
    func expired() async throws {
        try await withSchema { holder, schema in
            try await withPool({
                $0.connections = 1
                $0.connection.sessionSettings["search_path"] = schema
                $0.waitForConnection = .seconds(2)
                $0.statementTimeout = .seconds(20)
            }) { pool in
                _ = try await eventually("the connection is open") { pool.usage.openConnections == 1 ? true : nil }
                let lock = try await HeldLock(holder)
                let blocked = Task { try await pool.values(HeldLock.wait, .writes, lock.number, 1) }
                _ = try await lock.waiters()
                let error = await postgresError { try await pool.execute(store, .writes, Waiting(value: 1)) }
                #expect(error == .unavailable("all connections are busy"))
                #expect(try await lock.waiters().count == 1)
                try await lock.release()
                #expect(try await blocked.value == [1])
                #expect(try await pool.execute(store, .writes, Waiting(value: 2)) == 1)
                #expect(try await holder.values(of: Int32.self, stored) == [2])
                // The caller resumes just before the pool decrements the count.
                _ = try await eventually("nothing is in flight") { pool.usage.inFlight == 0 ? true : nil }
            }
        }
    }

    @Test("A statement whose lookup exceeds PostgreSQL's timeout fails as timed out and is never sent")
    func blockedLookup() async throws {
        try await withSchema { holder, schema in
            let lock = try await HeldLock(holder)
            try await blockLookups(schema, holder, lock)
            try await withPool({
                $0.connections = 1
                $0.connection.sessionSettings["search_path"] = schema
                $0.statementTimeout = .seconds(2)
                $0.connection.timeoutGrace = .seconds(20)
            }) { pool in
                let late = Task { try await pool.execute(store, .writes, Waiting(value: 1)) }
                _ = try await lock.waiters()
                #expect(await postgresError { try await late.value } == .timedOut(mayHaveCommitted: false))
                try await lock.release()
                #expect(try await pool.execute(store, .writes, Waiting(value: 2)) == 1)
                #expect(try await holder.values(of: Int32.self, stored) == [2])
            }
        }
    }

    @Test("Statements whose send deadline passes during a lookup fail afterwards and are never sent")
    func expiredDuringLookup() async throws {
        try await withSchema { holder, schema in
            let lock = try await HeldLock(holder)
            try await blockLookups(schema, holder, lock)
            try await withPool({
                $0.connections = 1
                $0.connection.sessionSettings["search_path"] = schema
                $0.waitForConnection = .seconds(2)
                $0.statementTimeout = .seconds(60)
            }) { pool in
                _ = try await eventually("the connection is open") { pool.usage.openConnections == 1 ? true : nil }
                let first = Task { try await pool.execute(store, .writes, Waiting(value: 1)) }
                _ = try await lock.waiters()
                let plain = Statement("plain", "insert into stored values ($1::int4)")
                let second = Task { try await pool.execute(plain, .writes, Int32(3)) }
                _ = try await eventually("the second one waits") { pool.usage.inFlight == 2 ? true : nil }
                let deadline = ContinuousClock.now + .seconds(2)
                _ = try await eventually("both deadlines have passed") { ContinuousClock.now > deadline ? true : nil }
                try await lock.release()
                for task in [first, second] {
                    #expect(await postgresError { try await task.value } == .unavailable("all connections are busy"))
                }
                #expect(try await pool.execute(store, .writes, Waiting(value: 2)) == 1)
                #expect(try await holder.values(of: Int32.self, stored) == [2])
            }
        }
    }

    @Test("A write whose result waits for a lookup past its answer deadline fails as timed out and was executed once")
    func overdueResult() async throws {
        try await withSchema { holder, schema in
            try await withPool({
                $0.connections = 1
                $0.connection.sessionSettings["search_path"] = schema
                $0.statementTimeout = .seconds(2)
                $0.connection.timeoutGrace = .seconds(1)
            }) { pool in
                let lock = try await HeldLock(holder)
                // All three statements are sent at once, so that the lookup waits for two statements after the write.
                // PostgreSQL ends the first of them after 2 s. The second one waits until then and 2 s longer.
                let thread = BlockedThread()
                let first = Task { try await thread.block(pool) }
                _ = try await thread.processID()
                let write = Task {
                    try await pool.values(
                        of: Waiting.self,
                        Statement("returning", "insert into stored values (1) returning row(value)::waiting"), .writes)
                }
                _ = try await eventually("the write waits") { pool.usage.inFlight == 2 ? true : nil }
                var blocked: [Task<[Int], any Error>] = []
                for number in 1...2 {
                    blocked.append(Task { try await pool.values(HeldLock.wait, .writes, lock.number, number) })
                    _ = try await eventually("the next one waits") { pool.usage.inFlight == 2 + number ? true : nil }
                }
                thread.release()
                try await first.value
                #expect(await postgresError { try await write.value } == .timedOut(mayHaveCommitted: true))
                try await lock.release()
                for task in blocked { _ = await task.result }
                #expect(try await holder.values(of: Int32.self, stored) == [1])
                #expect(try await pool.execute(store, .writes, Waiting(value: 2)) == 1)
                #expect(try await holder.values(of: Int32.self, stored) == [1, 2])
            }
        }
    }
}
