// Reads with composite results that two connections answer, of which only one knows the types.
import Foundation
import Support
import Synchronization
import Testing

@testable import Postgres

private struct Copied: PostgresComposite, Equatable {
    static let compositeName = "copied"
    var text = ""

    mutating func code(with record: inout RecordCoder) throws(CodingError) { try record.field("text", &text) }
}

private struct Answer: Equatable {
    let copied: Copied
    let processID: Int32
}

/// Records how often rows were decoded, and how often that failed.
private final class DecodingLog: Sendable {
    private let outcomes = Mutex<[Bool]>([])

    /// Whether each decoding succeeded, in order.
    var all: [Bool] { outcomes.withLock { $0 } }

    func record(_ isDecoded: Bool) { outcomes.withLock { $0.append(isDecoded) } }
}

@Suite("Copies of reads with composite results", .timeLimit(.minutes(2)))
struct CompositeCopyTests {
    /// Returns a record with a text of `$2` characters after it has waited for the lock `$1`.
    private let statement = Statement(
        "read_copied",
        """
        select row(repeat('x', $2::int))::copied, pg_backend_pid()
        from (select pg_advisory_xact_lock_shared($1::int8)) as lock
        """)

    /// Runs the read on this connection of the pool.
    private func read(
        _ pool: PostgresPool, on index: Int, lock: Int, length: Int32, log: DecodingLog = DecodingLog()
    ) async throws -> [Answer] {
        let parameters = Parameters(lock, length)
        let query = Query<[Answer]>.rows(statement, parameters, .reads, ifStill: nil) { row in
            do {
                let answer = Answer(copied: try row.next(Copied.self), processID: try row.next(Int32.self))
                log.record(true)
                return answer
            } catch {
                log.record(false)
                throw error
            }
        }
        return try await submit(query, to: pool.mailboxes[index])
    }

    /// Waits for a lock in a write on this connection of the pool.
    private func waitForLock(_ pool: PostgresPool, on index: Int, _ lock: HeldLock) async throws -> [Int] {
        let parameters = Parameters(lock.number, 1)
        let query = Query<[Int]>.rows(HeldLock.wait, parameters, .writes, ifStill: nil) { row in
            try row.next(Int.self)
        }
        return try await submit(query, to: pool.mailboxes[index])
    }

    private func submit<Value: Sendable>(_ query: Query<Value>, to mailbox: StatementQueue) async throws -> Value {
        try await query.submitAndWait { query in
            let request = QueuedStatement(operation: query, sendDeadline: .now + .seconds(60))
            if mailbox.submit(request) != nil { query.fail(.overloaded) }
        }
    }

    @Test("The answer of a read's copy is kept when the first connection answers later and does not know the types")
    func answeredTwice() async throws {
        let schema = "copied_\(UUID().uuidString.prefix(8).lowercased())"
        try await withConnection(settings: ["search_path": schema]) { holder in
            try await holder.run(script: "create schema \(schema); create type copied as (text text)")
            try await withPool({
                $0.connections = 2
                $0.connection.sessionSettings["search_path"] = schema
                $0.statementTimeout = .seconds(60)
            }) { pool in
                func inFlight(_ count: Int) async throws {
                    _ = try await eventually("\(count) in flight") { pool.usage.inFlight == count ? true : nil }
                }
                _ = try await eventually("both are open") { pool.usage.openConnections == 2 ? true : nil }
                let (before, among, after) = (
                    try await HeldLock(holder), try await HeldLock(holder), try await HeldLock(holder)
                )
                // The second connection prepares the read and looks up the type.
                let free = Int.random(in: 1 << 40..<1 << 41)
                #expect(try await read(pool, on: 1, lock: free, length: 1).map(\.copied) == [Copied(text: "x")])
                try await inFlight(0)
                // Both threads are blocked, so that each sends its statements in one burst.
                let (first, second) = (BlockedThread(), BlockedThread())
                let firstHeld = Task { try await first.block(pool) }
                let firstProcess = try await first.processID()
                let secondHeld = Task { try await second.block(pool) }
                let secondProcess = try await second.processID()
                #expect(firstProcess != secondProcess)

                // On the first connection, three reads of one transaction stand between two writes that wait. The long
                // record makes PostgreSQL send the result of the read before it, while the third read waits.
                let log = DecodingLog()
                let write = Task { try await waitForLock(pool, on: 0, before) }
                try await inFlight(3)
                let answer = Task { try await read(pool, on: 0, lock: free, length: 2, log: log) }
                try await inFlight(4)
                let long = Task { try await read(pool, on: 0, lock: free, length: 100_000) }
                try await inFlight(5)
                let blocked = Task { try await read(pool, on: 0, lock: among.number, length: 3) }
                try await inFlight(6)
                let last = Task { try await waitForLock(pool, on: 0, after) }
                try await inFlight(7)
                first.release()
                try await firstHeld.value
                // The first connection is unresponsive, and the second one gets copies of its reads.
                _ = try await before.waiters()
                try await inFlight(9)
                second.release()
                try await secondHeld.value
                _ = try await eventually("the copy is decoded") { log.all == [true] ? true : nil }
                try await before.release()
                _ = try await eventually("the original cannot be decoded") { log.all == [true, false] ? true : nil }

                // The transaction of the copies ends. The first connection cannot look up the type yet.
                try await among.release()
                #expect(
                    try await answer.value == [Answer(copied: Copied(text: "xx"), processID: secondProcess)])
                #expect(try await long.value.map(\.processID) == [secondProcess])
                #expect(try await blocked.value.map(\.copied) == [Copied(text: "xxx")])
                #expect(try await write.value == [1])
                #expect(log.all == [true, false])
                #expect(try await after.waiters() == [firstProcess])
                try await after.release()
                #expect(try await last.value == [1])
                // The first connection looks up the type and decodes its own result, which no task waits for.
                _ = try await eventually("the original is decoded") { log.all == [true, false, true] ? true : nil }
                try await inFlight(0)
                #expect(try await read(pool, on: 0, lock: free, length: 4).map(\.processID) == [firstProcess])
            }
            try await holder.run(script: "drop schema \(schema) cascade")
        }
    }
}
