// What a look at the socket does not show: answers that libpq has read while it sent, and the rest of a record of TLS. And copies of reads, which
// are the pool's own affair. Read next: Sources/Postgres/Connection/ConnectionLoop.swift and Session.swift.

import Foundation
import Support
import Testing

@testable import Postgres

@Suite("Beside the socket", .timeLimit(.minutes(10)))
struct BesideTheSocketTests {
    private let echo = Statement("echo", "select $1::int8")

    @Test("an answer that libpq read while the socket took no more is given at once, and not with the next one that comes")
    func readWhileSending() async throws {
        try await withPool({
            $0.connections = 1
            // No time is over while the thread is held, however slow the machine; without the answer that is looked for it would be.
            $0.statementTimeout = .seconds(60)
        }) { pool in
            try await withConnection { holder in
                let large = String(repeating: "x", count: 5_000_000)
                let locks = (try await HeldLock(holder), try await HeldLock(holder))
                let long = Statement("long", "select length($2) from (select pg_advisory_xact_lock($1::int8)) as lock")
                // Prepared, so that later nothing comes back but its answer.
                #expect(try await pool.values(long, .reads, 0, "x") == [1])
                let (one, other) = (HeldThread(), HeldThread())
                defer { for thread in [one, other] { thread.letGo() } }
                let first = Task { try await one.hold(pool) }
                let processID = try await one.processID()
                // These two go out as one burst: the thread will be at the second row while the server is at the write.
                let second = Task { try await other.hold(pool) }
                try await inFlight(2, pool)
                let write = Task { try await pool.values(HeldLock.wait, .writes, locks.0.number, 7) }
                try await inFlight(3, pool)
                one.letGo()
                _ = try await other.processID()
                _ = try await locks.0.waiters()
                try await locks.0.release()
                let idle = Statement("idle", "select count(*) from pg_stat_activity where pid = $1 and state = 'idle'")
                _ = try await eventually("it is idle") { try await holder.values(idle, .reads, processID) == [1] ? true : nil }
                // The write's answer lies in the socket. Twenty times what that holds the other way, so that libpq has to wait, and reads.
                let read = Task { try await pool.values(long, .reads, locks.1.number, large) }
                try await inFlight(3, pool)
                other.letGo()
                let written = try await write.value
                #expect(written == [7])
                let waiters = try await locks.1.waiters()
                #expect(waiters == [processID], "the other answer is still to come")
                try await locks.1.release()
                let length = try await read.value
                #expect(length == [5_000_000])
                _ = try await (first.value, second.value)
            }
        }
    }

    @Test(
        "the rest of a record of TLS that is larger than what libpq has room for is not left lying",
        arguments: [8300, 9000, 12000, 15000])
    func largeRecords(size: Int) async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try await TestAuthority.make(in: directory, name: "authority").sign("localhost", name: "server")
            try await SecureProxy.run(to: try await testDatabaseURL(), pair) { url in
                try await withPool(
                    url: url,
                    {
                        $0.connections = 1
                        $0.statementTimeout = .seconds(10)
                    }
                ) { pool in
                    let rows = Statement("rows", "select repeat('x', $1) from generate_series(1, $2)")
                    for count in 1...6 {
                        let found = try await pool.query(rows, .reads, Int32(size), Int32(count)) { row in
                            try row.next(String.self).utf8.count
                        }
                        #expect(found == Array(repeating: size, count: count))
                    }
                }
            }
        }
    }

    @Test("nor is that of a large answer, of which libpq begins the next record by itself", arguments: 500...504)
    func largeAnswers(count: Int32) async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try await TestAuthority.make(in: directory, name: "authority").sign("localhost", name: "server")
            try await SecureProxy.run(to: try await testDatabaseURL(), pair) { url in
                try await withPool(
                    url: url,
                    {
                        $0.connections = 1
                        $0.statementTimeout = .seconds(10)
                    }
                ) { pool in
                    let rows = Statement("rows", "select repeat('x', 1000) from generate_series(1, $1)")
                    // Of 502 rows the last record has a rest.
                    let found = try await pool.query(rows, .reads, count) { row in try row.next(String.self).utf8.count }
                    #expect(found == Array(repeating: 1000, count: Int(count)))
                }
            }
        }
    }

    @Test("a copy of a read that finds no place elsewhere does not fail the read, which is still under way")
    func refusedCopy() async throws {
        try await withPool({
            $0.connections = 2
            // Two may wait at each connection.
            $0.queueLimit = 4
            $0.statementTimeout = .seconds(60)
        }) { pool in
            try await withConnection { holder in
                _ = try await eventually("both are open") { pool.use.openConnections == 2 ? true : nil }
                let lock = try await HeldLock(holder)
                let threads = [HeldThread(), HeldThread()]
                defer { for thread in threads { thread.letGo() } }
                var tasks: [Task<Void, any Error>] = []
                for thread in threads {
                    tasks.append(Task { try await thread.hold(pool) })
                    _ = try await thread.processID()
                }
                // In turn: a write that waits for the lock and the read behind it at one connection, two others at the other one, which is full then.
                let write = Task { try await pool.values(HeldLock.wait, .writes, lock.number, 1) }
                try await inFlight(3, pool)
                tasks.append(Task { _ = try await pool.values(echo, .reads, 2) })
                try await inFlight(4, pool)
                let read = Task { try await pool.values(echo, .reads, 3) }
                try await inFlight(5, pool)
                tasks.append(Task { _ = try await pool.values(echo, .reads, 4) })
                try await inFlight(6, pool)
                threads[0].letGo()
                _ = try await lock.waiters()
                // Once it is quiet, and its thread has come around to do something else, the copy has been refused.
                _ = try await eventually("it is quiet") { pool.mailboxes[0].isUnresponsive.load(ordering: .relaxed) ? true : nil }
                await pool.onConnection(0) {}
                try await lock.release()
                let found = try await read.value
                #expect(found == [3])
                let written = try await write.value
                #expect(written == [1])
                threads[1].letGo()
                for task in tasks { try await task.value }
            }
        }
    }

    /// Waits until the pool has so many statements.
    private func inFlight(_ count: Int, _ pool: PostgresPool) async throws {
        _ = try await eventually("all are in flight") { pool.use.inFlight == count ? true : nil }
    }
}
