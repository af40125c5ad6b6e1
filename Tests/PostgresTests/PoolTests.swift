// The pool: distribution, limits, timeouts, health and shutdown.

import Foundation
import Postgres
import ServiceLifecycle
import Synchronization
import Testing

@Suite("Pool")
struct PoolTests {
    private let echo = Statement("echo", "select $1::int8")
    private let processID = Statement("pid", "select pg_backend_pid()")

    @Test("Statements are distributed over all connections, and each gets its own row")
    func spread() async throws {
        try await withPool { pool in
            // Asks the pool and not the server: the server counts a connection before the client has opened it.
            _ = try await eventually("four connections are open") { pool.usage.openConnections == 4 ? true : nil }
            let used = try await withThrowingTaskGroup(of: (Int, Int, Int).self) { group in
                let statement = Statement("spread", "select $1::int8, pg_backend_pid() from pg_sleep(0.001)")
                for number in 0..<1000 {
                    group.addTask {
                        let rows = try await pool.query(statement, number % 2 == 0 ? .reads : .writes, number) { row in
                            (try row.next(Int.self), try row.next(Int.self))
                        }
                        return (number, rows[0].0, rows[0].1)
                    }
                }
                var used: Set<Int> = []
                for try await (number, answer, processID) in group {
                    #expect(number == answer)
                    used.insert(processID)
                }
                return used
            }
            #expect(used.count == 4)
        }
    }

    @Test("A statement that waits for the first connection runs on it")
    func beforeRun() async throws {
        var configuration = PoolConfiguration(url: try await testDatabaseURL())
        configuration.waitForConnection = .seconds(10)
        let pool = try PostgresPool(configuration, logger: quiet)
        let answer = Task { try await pool.values(echo, .reads, 1) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await pool.run() }
            let rows = try await answer.value
            #expect(rows == [1])
            group.cancelAll()
        }
    }

    @Test(
        "Without a database, statements fail after the wait, health is reported once, and a cancelled wait ends"
    )
    func unavailable() async throws {
        let health = HealthRecorder()
        try await withPool(
            url: "postgresql:///x?host=/nowhere", { $0.waitForConnection = .milliseconds(200) },
            onHealthChange: { health.add($0) }
        ) { pool in
            let start = ContinuousClock.now
            let error = await postgresError { try await pool.execute(echo, .writes, 1) }
            guard case .unavailable(let reason) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(reason.contains("/nowhere"))
            #expect(ContinuousClock.now - start >= .milliseconds(200))
            let task = Task { try await pool.execute(echo, .writes, 1) }
            task.cancel()
            #expect(await postgresError { try await task.value } == .cancelled(mayHaveCommitted: false))
        }
        #expect(health.all.count == 1)
        #expect(health.all.first != .healthy)
    }

    @Test("Statements beyond the queue's limit are rejected at once")
    func bounded() async throws {
        try await withPool({
            $0.connections = 1
            $0.queueLimit = 10
            $0.statementTimeout = .seconds(20)
        }) { pool in
            try await withConnection { holder in
                let lock = try await HeldLock(holder)
                var waiting: [Task<Result<Int, PostgresError>, Never>] = []
                for _ in 0..<2000 {
                    waiting.append(
                        Task {
                            do throws(PostgresError) {
                                return .success(try await pool.execute(HeldLock.wait, .writes, lock.number, 1))
                            } catch {
                                return .failure(error)
                            }
                        })
                }
                // The rejected ones end while the lock is still held: 10 wait, and at most two bursts are in flight.
                let results = await withTaskGroup { group in
                    for task in waiting { group.addTask { await task.value } }
                    var results: [Result<Int, PostgresError>] = []
                    for await result in group {
                        results.append(result)
                        if results.count == 2000 - 10 - 2 * 256 { try? await lock.release() }
                    }
                    return results
                }
                #expect(results.count { $0 == .failure(.overloaded) } >= 2000 - 10 - 2 * 256)
                #expect(results.contains(.success(1)))
                // Statements that wait too long behind a busy connection fail as unavailable. No other error may occur.
                #expect(
                    results.allSatisfy {
                        switch $0 {
                        case .success, .failure(.overloaded), .failure(.unavailable): true
                        default: false
                        }
                    })
            }
        }
    }

    @Test("PostgreSQL's timeout ends a slow statement and rolls it back")
    func serverTimeout() async throws {
        try await withPool({ $0.statementTimeout = .milliseconds(100) }) { pool in
            let error = await postgresError {
                try await pool.execute(Statement("slow", "select 1 from pg_sleep(60)"), .writes)
            }
            #expect(error == .timedOut(mayHaveCommitted: false))
            let rows = try await pool.values(echo, .reads, 1)
            #expect(rows == [1])
        }
    }

    @Test("Reads behind a statement that waits for a lock are answered by another connection")
    func behindALock() async throws {
        try await withConnection { holder in
            try await withPool({
                $0.connections = 2
                $0.statementTimeout = .seconds(30)
            }) { pool in
                let lock = try await HeldLock(holder)
                let held = Task { try await pool.values(HeldLock.wait, .writes, lock.number, 1) }
                _ = try await lock.waiters()
                // All at once, so that both connections get some of them.
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<200 {
                        group.addTask {
                            let rows = try await pool.values(echo, .reads, number)
                            #expect(rows == [number])
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(try await lock.waiters().count == 1)
                try await lock.release()
                #expect(try await held.value == [1])
                #expect(try await pool.values(echo, .reads, 7) == [7])
            }
        }
    }

    @Test("The timeout of a statement begins when it is submitted, not when PostgreSQL begins to execute it")
    func overdue() async throws {
        try await withConnection { holder in
            try await withPool({
                $0.connections = 1
                $0.statementTimeout = .seconds(2)
            }) { pool in
                let lock = try await HeldLock(holder)
                let first = Task { try await pool.values(HeldLock.wait, .writes, lock.number, 1) }
                _ = try await lock.waiters()
                // The second statement is in the pipeline. PostgreSQL's timeout for it starts when the first has ended
                // and would report a rollback. The client's timeout starts earlier, so the outcome is unknown.
                let late = Task { try await pool.values(HeldLock.wait, .writes, lock.number, 2) }
                #expect(await postgresError { try await first.value } == .timedOut(mayHaveCommitted: false))
                #expect(await postgresError { try await late.value } == .timedOut(mayHaveCommitted: true))
                try await lock.release()
            }
        }
    }

    @Test("A statement whose `ifStill` condition is false when a connection takes it fails as outdated and is not sent")
    func outdated() async throws {
        try await withConnection { holder in
            try await withPool({ $0.connections = 1 }) { pool in
                let lock = try await HeldLock(holder)
                let name = "outdated_\(lock.number)"
                try await holder.run(script: "create sequence \(name)")
                let draw = Statement("draw", "select nextval($1::text::regclass)")
                // The pipeline takes two bursts; a third statement waits.
                let first = Task { try await pool.values(HeldLock.wait, .writes, lock.number, 1) }
                _ = try await lock.waiters()
                let isSent = Mutex(false)
                let second = Task {
                    let recordsSending: @Sendable () -> Bool = {
                        isSent.withLock { $0 = true }
                        return true
                    }
                    return try await pool.query(echo, Parameters(2), .writes, ifStill: recordsSending) { row in
                        try row.next(Int.self)
                    }
                }
                _ = try await eventually("the second statement is sent") { isSent.withLock { $0 } ? true : nil }
                let isValid = Mutex(true)
                let drawn = Task {
                    try await pool.query(draw, Parameters(name), .writes, ifStill: { isValid.withLock { $0 } }) { row in
                        try row.next(Int.self)
                    }
                }
                _ = try await eventually("the third statement waits") { pool.usage.inFlight == 3 ? true : nil }
                isValid.withLock { $0 = false }
                try await lock.release()
                #expect(await postgresError { try await drawn.value } == .outdated)
                #expect(try await first.value == [1])
                #expect(try await second.value == [2])
                // The caller resumes just before the pool decrements the count.
                _ = try await eventually("nothing is in flight") { pool.usage.inFlight == 0 ? true : nil }
                isValid.withLock { $0 = true }
                let numbers = try await pool.query(
                    draw, Parameters(name), .writes, ifStill: { isValid.withLock { $0 } }
                ) { row in
                    try row.next(Int.self)
                }
                #expect(numbers == [1])
                try await holder.run(script: "drop sequence \(name)")
            }
        }
    }

    @Test("A graceful shutdown answers the accepted statements, rejects later ones, and ends")
    func gracefulShutdown() async throws {
        var configuration = PoolConfiguration(url: try await testDatabaseURL())
        configuration.statementTimeout = .seconds(30)
        let pool = try PostgresPool(configuration, logger: quiet)
        let group = ServiceGroup(services: [pool], logger: quiet)
        async let run: Void = group.run()
        try await withConnection { holder in
            let lock = try await HeldLock(holder)
            let tasks = (0..<8).map { number in
                Task { try await pool.values(HeldLock.wait, .writes, lock.number, number) }
            }
            // Waits until all eight are accepted, so that the shutdown begins after that.
            _ = try await eventually("all eight are in flight") { pool.usage.inFlight == tasks.count ? true : nil }
            await group.triggerGracefulShutdown()
            // Statements that are still accepted wait for the lock, too. A rejected one reports the shutdown.
            let refused = try await eventually("a statement is rejected") {
                let late = Task { try await pool.values(HeldLock.wait, .writes, lock.number, 8) }
                try await Task.sleep(for: .milliseconds(20))
                late.cancel()
                let error = await postgresError { try await late.value }
                return error == .unavailable("the client is shutting down") ? error : nil
            }
            #expect(refused.mayHaveCommitted == false)
            try await lock.release()
            for (number, task) in tasks.enumerated() {
                let rows = try await task.value
                #expect(rows == [number])
            }
        }
        try await run
    }

    @Test("The last of many queued short statements time out although results arrive continuously")
    func overdueBehindOthers() async throws {
        try await withPool({
            $0.connections = 1
            $0.statementTimeout = .milliseconds(500)
        }) { pool in
            // Takes three seconds in total. A result arrives more often than every 0.1 s, so the connection never
            // counts as unresponsive.
            let short = Statement("short", "select $1::int8 from pg_sleep(0.03)")
            let errors = await withTaskGroup(of: PostgresError?.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        do {
                            _ = try await pool.values(short, .writes, number)
                            return nil
                        } catch {
                            return error as? PostgresError
                        }
                    }
                }
                return await group.reduce(into: [PostgresError?]()) { errors, error in errors.append(error) }
            }
            #expect(errors.contains(.timedOut(mayHaveCommitted: true)))
        }
    }

    @Test("A shutdown without a database ends at once")
    func shutdownWithoutDatabase() async throws {
        let pool = try PostgresPool(PoolConfiguration(url: "postgresql:///x?host=/nowhere"), logger: quiet)
        let group = ServiceGroup(services: [pool], logger: quiet)
        async let run: Void = group.run()
        async let refused = postgresError { try await pool.execute(echo, .reads, 1) }
        await group.triggerGracefulShutdown()
        try await run
        let error = await refused
        guard case .unavailable = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}

/// Records the health reports of a pool.
final class HealthRecorder: Sendable {
    private let reports = Mutex([PoolHealth]())

    func add(_ health: PoolHealth) {
        reports.withLock { $0.append(health) }
    }

    var all: [PoolHealth] { reports.withLock { $0 } }
}
