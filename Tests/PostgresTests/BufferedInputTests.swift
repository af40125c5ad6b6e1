// Input that poll(2) does not report: results that libpq reads while it sends, and the rest of TLS records.
// Also copies of reads on an unresponsive connection.

import Foundation
import Support
import Testing

@testable import Postgres

@Suite("Buffered input", .timeLimit(.minutes(10)))
struct BufferedInputTests {
    private let echo = Statement("echo", "select $1::int8")

    @Test("A result that libpq reads while the socket accepts no more output is delivered at once")
    func readWhileSending() async throws {
        try await withPool({
            $0.connections = 1
            // Long enough for a slow machine. If the result were not delivered at once, the test would wait until this
            // limit and fail.
            $0.statementTimeout = .seconds(60)
        }) { pool in
            try await withConnection { holder in
                let large = String(repeating: "x", count: 5_000_000)
                let locks = (try await HeldLock(holder), try await HeldLock(holder))
                let long = Statement("long", "select length($2) from (select pg_advisory_xact_lock($1::int8)) as lock")
                // Prepared now, so that its later execution returns only one result.
                #expect(try await pool.values(long, .reads, 0, "x") == [1])
                let (first, second) = (BlockedThread(), BlockedThread())
                defer { for thread in [first, second] { thread.release() } }
                let firstRead = Task { try await first.block(pool) }
                let processID = try await first.processID()
                // These two form one burst: the thread decodes the second row while the server executes the write.
                let secondRead = Task { try await second.block(pool) }
                try await inFlight(2, pool)
                let write = Task { try await pool.values(HeldLock.wait, .writes, locks.0.number, 7) }
                try await inFlight(3, pool)
                first.release()
                _ = try await second.processID()
                _ = try await locks.0.waiters()
                try await locks.0.release()
                let idle = Statement("idle", "select count(*) from pg_stat_activity where pid = $1 and state = 'idle'")
                _ = try await eventually("the server process is idle") {
                    try await holder.values(idle, .reads, processID) == [1] ? true : nil
                }
                // The write's result is in the socket. The next statement is 20 times as large as the socket's buffer.
                // So libpq must wait while it sends, and reads meanwhile.
                let read = Task { try await pool.values(long, .reads, locks.1.number, large) }
                try await inFlight(3, pool)
                second.release()
                let written = try await write.value
                #expect(written == [7])
                let waiters = try await locks.1.waiters()
                #expect(waiters == [processID], "the large read still waits for its lock")
                try await locks.1.release()
                let length = try await read.value
                #expect(length == [5_000_000])
                _ = try await (firstRead.value, secondRead.value)
            }
        }
    }

    @Test(
        "The rest of a TLS record that exceeds libpq's buffer is read",
        arguments: [8300, 9000, 12000, 15000])
    func largeRecords(size: Int) async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try await TestCertificateAuthority.make(in: directory, name: "authority").sign(
                "localhost", name: "server")
            try await TLSProxy.run(to: try await testDatabaseURL(), pair) { url in
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

    @Test("The rest of the last TLS record of a large result is read", arguments: 500...504)
    func largeAnswers(count: Int32) async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try await TestCertificateAuthority.make(in: directory, name: "authority").sign(
                "localhost", name: "server")
            try await TLSProxy.run(to: try await testDatabaseURL(), pair) { url in
                try await withPool(
                    url: url,
                    {
                        $0.connections = 1
                        $0.statementTimeout = .seconds(10)
                    }
                ) { pool in
                    let rows = Statement("rows", "select repeat('x', 1000) from generate_series(1, $1)")
                    // With 502 rows, a part of the last record remains in OpenSSL.
                    let found = try await pool.query(rows, .reads, count) { row in try row.next(String.self).utf8.count
                    }
                    #expect(found == Array(repeating: 1000, count: Int(count)))
                }
            }
        }
    }

    @Test("A copy of a read that no other connection accepts does not fail the original read")
    func refusedCopy() async throws {
        try await withPool({
            $0.connections = 2
            // Two statements may wait at each connection.
            $0.queueLimit = 4
            $0.statementTimeout = .seconds(60)
        }) { pool in
            try await withConnection { holder in
                _ = try await eventually("both connections are open") { pool.usage.openConnections == 2 ? true : nil }
                let lock = try await HeldLock(holder)
                let threads = [BlockedThread(), BlockedThread()]
                defer { for thread in threads { thread.release() } }
                var tasks: [Task<Void, any Error>] = []
                for thread in threads {
                    tasks.append(Task { try await thread.block(pool) })
                    _ = try await thread.processID()
                }
                // The statements alternate: the first connection gets the blocked write and the read behind it. The
                // second connection gets two reads and is then full.
                let write = Task { try await pool.values(HeldLock.wait, .writes, lock.number, 1) }
                try await inFlight(3, pool)
                tasks.append(Task { _ = try await pool.values(echo, .reads, 2) })
                try await inFlight(4, pool)
                let read = Task { try await pool.values(echo, .reads, 3) }
                try await inFlight(5, pool)
                tasks.append(Task { _ = try await pool.values(echo, .reads, 4) })
                try await inFlight(6, pool)
                threads[0].release()
                _ = try await lock.waiters()
                // Once the first connection is unresponsive and its thread has run another job, the copy has been
                // rejected.
                _ = try await eventually("the connection is unresponsive") {
                    pool.mailboxes[0].isUnresponsive.load(ordering: .relaxed) ? true : nil
                }
                await pool.onConnection(0) {}
                try await lock.release()
                let found = try await read.value
                #expect(found == [3])
                let written = try await write.value
                #expect(written == [1])
                threads[1].release()
                for task in tasks { try await task.value }
            }
        }
    }

    /// Waits until the pool has `count` statements in flight.
    private func inFlight(_ count: Int, _ pool: PostgresPool) async throws {
        _ = try await eventually("\(count) statements are in flight") { pool.usage.inFlight == count ? true : nil }
    }
}
