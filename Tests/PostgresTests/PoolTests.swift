// Many tasks and a few connections: losses, limits, health, the end.

import Foundation
import Postgres
import ServiceLifecycle
import Synchronization
import Testing

@Suite("Pool")
struct PoolTests {
    private let echo = Statement("echo", "select $1::int8")
    private let processID = Statement("pid", "select pg_backend_pid()")

    @Test("statements spread over the connections, each with its own row")
    func spread() async throws {
        let name = "spread_\(UUID().uuidString.prefix(8))"
        try await withPool({ $0.sessionSettings = ["application_name": name] }) { pool in
            let open = Statement("open", "select count(*) from pg_stat_activity where application_name = $1")
            _ = try await eventually { try await pool.values(open, .reads, name) == [4] ? true : nil }
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

    @Test("a statement that waits for the first connection gets it")
    func beforeRun() async throws {
        var configuration = PoolConfiguration(url: try testDatabaseURL())
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

    @Test("without a database statements fail as unavailable after the waiting time, health is told once, and one cancelled is gone at once")
    func unavailable() async throws {
        let health = Health()
        try await withPool(
            url: "postgresql:///x?host=/nowhere", { $0.waitForConnection = .milliseconds(200) }, onHealthChange: { health.add($0) }
        ) { pool in
            let start = ContinuousClock.now
            let error = await postgresError { try await pool.execute(echo, .writes, 1) }
            guard case .unavailable(let reason) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(reason.contains("/nowhere"))
            #expect((.milliseconds(200)..<Duration.seconds(2)).contains(ContinuousClock.now - start))
            let task = Task { try await pool.execute(echo, .writes, 1) }
            task.cancel()
            #expect(await postgresError { try await task.value } == .cancelled(mayHaveCommitted: false))
        }
        #expect(health.all.count == 1)
        #expect(health.all.first != .healthy)
    }

    @Test("more than the queue holds is refused at once")
    func bounded() async throws {
        try await withPool({
            $0.connections = 1
            $0.queueLimit = 10
            $0.statementTimeout = .seconds(20)
        }) { pool in
            let lock = Int.random(in: 0...Int.max)
            let take = Statement("take", "select pg_advisory_xact_lock($1)")
            try await withConnection { holder in
                try await holder.execute(Statement("hold", "select pg_advisory_lock($1)"), .writes, lock)
                var waiting: [Task<Result<Int, PostgresError>, Never>] = []
                for _ in 0..<2000 {
                    waiting.append(
                        Task {
                            do throws(PostgresError) {
                                return .success(try await pool.execute(take, .writes, lock))
                            } catch {
                                return .failure(error)
                            }
                        })
                }
                // The refused ones end while the lock is still held: 10 wait, and at most two bursts are in flight.
                let results = await withTaskGroup { group in
                    for task in waiting { group.addTask { await task.value } }
                    var results: [Result<Int, PostgresError>] = []
                    for await result in group {
                        results.append(result)
                        if results.count == 2000 - 10 - 2 * 256 { try? await holder.run(script: "select pg_advisory_unlock_all()") }
                    }
                    return results
                }
                #expect(results.count { $0 == .failure(.overloaded) } >= 2000 - 10 - 2 * 256)
                #expect(results.contains(.success(1)))
                // Those that wait behind a busy connection for too long are unavailable; none may fail in another way.
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

    @Test("PostgreSQL's own time limit ends a slow statement, and nothing of it stays")
    func serverTimeout() async throws {
        try await withPool({ $0.statementTimeout = .milliseconds(100) }) { pool in
            let error = await postgresError { try await pool.execute(Statement("slow", "select 1 from pg_sleep(60)"), .writes) }
            #expect(error == .timedOut(mayHaveCommitted: false))
            let rows = try await pool.values(echo, .reads, 1)
            #expect(rows == [1])
        }
    }

    @Test("a lost connection fails its writes with doubt, sends its reads again, and is reopened; health tells it once each way")
    func lost() async throws {
        let health = Health()
        try await withPool({ $0.connections = 1 }, onHealthChange: { health.add($0) }) { pool in
            let first = try await pool.values(of: Int32.self, processID, .reads)[0]
            let slow = Statement("slow", "select $1::int8 from pg_sleep(0.3)")
            async let write = postgresError { try await pool.execute(slow, .writes, 1) }
            try await withConnection { other in
                let active = Statement("active", "select 1 from pg_stat_activity where pid = $1::int and state = 'active'")
                _ = try await eventually { try await other.values(active, .reads, first).first }
                async let read = pool.values(slow, .reads, 2)
                try await other.execute(Statement("kill", "select pg_terminate_backend($1::int)"), .writes, first)
                let rows = try await read
                #expect(rows == [2])
            }
            let writeError = await write
            guard case .connectionLost(let loss) = writeError else {
                Issue.record("\(String(describing: writeError))")
                return
            }
            #expect(loss.mayHaveCommitted)
            #expect(try await pool.values(of: Int32.self, processID, .reads) != [first])
        }
        #expect(health.all.count == 3)
        #expect(health.all.first == .healthy)
        #expect(health.all.last == .healthy)
    }

    @Test("killing all server processes again and again gives no read an error")
    func killedOverAndOver() async throws {
        let name = "kill_\(UUID().uuidString.prefix(8))"
        try await withPool({
            $0.sessionSettings = ["application_name": name]
            $0.waitForConnection = .seconds(10)
        }) { pool in
            let kill = Statement("kill", "select count(pg_terminate_backend(pid)) from pg_stat_activity where application_name = $1")
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

    @Test("a server process that stalls in a transaction is given up, ended from another connection, and its locks are free again")
    func stalled() async throws {
        let table = "stalled_\(UUID().uuidString.prefix(8).lowercased())"
        try await withConnection { other in
            try await other.run(script: "create table \(table) (id bigint primary key, n int); insert into \(table) values (1, 0)")
            try await withPool({
                $0.connections = 2
                $0.statementTimeout = .seconds(1)
                $0.timeoutGrace = .milliseconds(200)
            }) { pool in
                // The write holds the row and then stops its own server process, before its Sync is answered.
                let stall = Statement(
                    "stall", "with u as (update \(table) set n = n + 1 where id = $1 returning id) select pg_backend_pid(), pg_sleep(0.4) from u")
                async let write = postgresError { try await pool.values(stall, .writes, 1) }
                let running = Statement("running", "select pid from pg_stat_activity where state = 'active' and query like $1 and pid <> pg_backend_pid()")
                let stopped = try await eventually {
                    try await other.values(of: Int32.self, running, .reads, "%update \(table)%").first
                }
                try #require(kill(stopped, SIGSTOP) == 0)
                let writeError = await write
                #expect(writeError == .timedOut(mayHaveCommitted: true))
                // While it is stopped it can't be ended; the pool serves on.
                #expect(try await pool.values(echo, .reads, 1) == [1])
                try #require(kill(stopped, SIGCONT) == 0)
                let update = Statement("update", "update \(table) set n = n + 10 where id = $1")
                _ = try await eventually {
                    do throws(PostgresError) {
                        return try await pool.execute(update, .writes, 1)
                    } catch {
                        guard case .timedOut = error else { throw error }
                        return nil
                    }
                }
                let alive = Statement("alive", "select 1 from pg_stat_activity where pid = $1::int")
                let isGone: Bool = try await eventually {
                    try await other.values(alive, .reads, stopped).isEmpty ? true : nil
                }
                #expect(isGone)
                let count = Statement("n", "select n from \(table)")
                #expect(try await pool.values(count, .reads) == [10])
            }
            try await other.run(script: "drop table \(table)")
        }
    }

    @Test("a graceful shutdown answers what was accepted, refuses the rest, and ends")
    func gracefulShutdown() async throws {
        let pool = try PostgresPool(PoolConfiguration(url: try testDatabaseURL()), logger: quiet)
        let group = ServiceGroup(services: [pool], logger: quiet)
        async let run: Void = group.run()
        _ = try await pool.values(echo, .reads, 0)
        let slow = Statement("slow", "select $1::int8 from pg_sleep(0.2)")
        let tasks = (0..<8).map { number in Task { try await pool.values(slow, .writes, number) } }
        try await withConnection { other in
            let active = Statement("active", "select count(*) from pg_stat_activity where state = 'active' and query like 'select $1::int8 from pg_sleep(0.2)%'")
            _ = try await eventually { try await other.values(active, .reads)[0] >= 4 ? true : nil }
        }
        await group.triggerGracefulShutdown()
        try await run
        var answered = 0
        for (number, task) in tasks.enumerated() {
            do {
                #expect(try await task.value == [number])
                answered += 1
            } catch {
                #expect(error as? PostgresError == .unavailable("the client is shutting down"))
            }
        }
        #expect(answered >= 4)
        #expect(await postgresError { try await pool.execute(echo, .reads, 1) } == .unavailable("the client is shutting down"))
    }

    @Test("a shutdown without a database ends at once")
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

/// What a pool told about its health.
final class Health: Sendable {
    private let told = Mutex([PoolHealth]())

    func add(_ health: PoolHealth) {
        told.withLock { $0.append(health) }
    }

    var all: [PoolHealth] { told.withLock { $0 } }
}
