// Connections that fail under a pool: every statement is answered, and none runs twice.

import Foundation
import Postgres
import Support
import Synchronization
import Testing

@Suite("Lost connections")
struct ConnectionLossTests {
    private let echo = Statement("echo", "select $1::int8")
    private let processID = Statement("pid", "select pg_backend_pid()")

    @Test("When a connection is lost, its write fails, its read is retried, and each change of health is reported once")
    func lost() async throws {
        let health = HealthRecorder()
        try await withPool({ $0.connections = 1 }, onHealthChange: { health.add($0) }) { pool in
            try await withConnection { holder in
                let lock = try await HeldLock(holder)
                let write = Task { try await pool.values(HeldLock.wait, .writes, lock.number, 1) }
                let first = try await lock.waiters()
                let read = Task { try await pool.values(echo, .reads, 2) }
                try await holder.execute(Statement("kill", "select pg_terminate_backend($1::int)"), .writes, first[0])
                let rows = try await read.value
                #expect(rows == [2])
                let error = await postgresError { try await write.value }
                guard case .connectionLost(let loss) = error else {
                    Issue.record("\(String(describing: error))")
                    return
                }
                #expect(loss.mayHaveCommitted)
                #expect(try await pool.values(of: Int32.self, processID, .reads) != first)
            }
        }
        #expect(health.all.count == 3)
        #expect(health.all.first == .healthy)
        #expect(health.all.last == .healthy)
    }

    @Test("Reads that are sent on a connection that has just failed are retried, whatever their size")
    func diedBeforeTheBurst() async throws {
        try await withPool({ $0.connections = 1 }) { pool in
            try await withConnection { other in
                // The thread is blocked in a row, so that it sends the next burst before it notices the end of the
                // connection.
                let thread = BlockedThread()
                let first = Task { try await thread.block(pool) }
                let id = try await thread.processID()
                let reads = (1...8).map { number in
                    Task {
                        try await pool.values(
                            Statement("length", "select length($1)"), .reads,
                            String(repeating: "x", count: number * 100_000))
                    }
                }
                _ = try await eventually("all statements are in flight") { pool.usage.inFlight == 9 ? true : nil }
                try await other.execute(Statement("kill", "select pg_terminate_backend($1::int)"), .writes, id)
                let alive = Statement("alive", "select count(*) from pg_stat_activity where pid = $1")
                _ = try await eventually("the process has ended") {
                    try await other.values(alive, .reads, id) == [0] ? true : nil
                }
                thread.release()
                for (index, read) in reads.enumerated() {
                    let lengths = try await read.value
                    #expect(lengths == [(index + 1) * 100_000])
                }
                try await first.value
            }
        }
    }

    @Test("Killing all server processes repeatedly fails no read")
    func killedOverAndOver() async throws {
        let name = "kill_\(UUID().uuidString.prefix(8))"
        try await withPool({ $0.connection.sessionSettings = ["application_name": name] }) { pool in
            let kill = Statement(
                "kill", "select count(pg_terminate_backend(pid)) from pg_stat_activity where application_name = $1")
            try await withConnection { other in
                for round in 0..<5 {
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for number in 0..<100 {
                            group.addTask {
                                let rows = try await pool.values(echo, .reads, number)
                                #expect(rows == [number])
                            }
                        }
                        group.addTask {
                            let killed = try await other.values(kill, .writes, name)
                            #expect(killed[0] <= 4, "round \(round)")
                        }
                        try await group.waitForAll()
                    }
                }
            }
        }
    }

    @Test("The pool terminates a server process that stalls in a transaction, which releases its locks")
    func stalled() async throws {
        let table = "stalled_\(UUID().uuidString.prefix(8).lowercased())"
        let sessions = Statement("sessions", "select count(*) from pg_stat_activity where application_name = $1")
        try await withConnection { holder in
            try await holder.run(
                script: "create table \(table) (id bigint primary key, n int); insert into \(table) values (1, 0)")
            try await withPool({
                $0.connections = 2
                $0.connection.sessionSettings = ["application_name": table]
                // Long enough for the test to stop the process before PostgreSQL ends the statement, even on a busy
                // machine.
                $0.statementTimeout = .seconds(10)
                $0.connection.timeoutGrace = .milliseconds(200)
            }) { pool in
                let lock = try await HeldLock(holder)
                // The statement locks the row before it waits for the advisory lock.
                let stall = Statement(
                    "stall",
                    """
                    with u as (update \(table) set n = n + 1 where id = $1 returning id)
                    select pg_advisory_xact_lock($2) from u
                    """)
                let write = Task { try await pool.execute(stall, .writes, 1, lock.number) }
                let stopped = try await lock.waiters()[0]
                let take = Statement("take", "select 1 from \(table) where id = $1 for update nowait")
                try await whileSuspended([stopped]) {
                    try await lock.release()
                    let error = await postgresError { try await write.value }
                    #expect(error == .timedOut(mayHaveCommitted: true))
                    // A stopped process cannot be terminated. The pool still serves everything except the locked row.
                    #expect(try await pool.values(echo, .reads, 1) == [1])
                    let blocked = await postgresError { try await pool.execute(take, .writes, 1) }
                    #expect(blocked?.sqlState == "55P03")
                    // The statement may time out just before the pool abandons its connection. If the process resumed
                    // in between, the pool would keep the connection.
                    _ = try await eventually("another connection has replaced it") {
                        try await holder.values(sessions, .reads, table) == [3] ? true : nil
                    }
                }
                let alive = Statement("alive", "select 1 from pg_stat_activity where pid = $1::int")
                let isGone = try await eventually("the process has ended") {
                    try await holder.values(alive, .reads, stopped).isEmpty ? true : nil
                }
                #expect(isGone)
                #expect(try await pool.execute(take, .writes, 1) == 1)
                #expect(try await pool.values(Statement("n", "select n from \(table)"), .reads) == [0])
            }
            try await holder.run(script: "drop table \(table)")
        }
    }
}
