// The databases that all database tests use: each is cloned from a template and dropped afterwards.
import EmbeddedPostgres
import Support
import Synchronization
import Testing

@Suite struct TestDatabaseTests {
    @Test("Concurrent requests build a template once, and its clones are independent")
    func template() async throws {
        let builds = Mutex(0)
        let template = TestDatabase.Template("numbers") { url in
            builds.withLock { $0 += 1 }
            try await Psql.run("create table numbers as select 1 as number", url: url)
        }
        let sums = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 1...4 {
                group.addTask {
                    try await TestDatabase.with(template) { database in
                        try await database.psql(
                            "insert into numbers values (\(number)); select sum(number) from numbers")
                    }
                }
            }
            return try await group.reduce(into: []) { sums, sum in sums.append(sum) }
        }
        #expect(sums.sorted() == ["2", "3", "4", "5"])
        #expect(builds.withLock { $0 } == 1)
    }

    @Test("A database is dropped after its test, even when the test fails and a session is still connected")
    func dropped() async throws {
        struct Failure: Error {}
        let (connected, isConnected) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(1))
        await #expect(throws: Failure.self) {
            try await TestDatabase.with { database in
                let sleeper = Task { try await database.psql("select pg_sleep(60)") }
                let sleeping = """
                    select count(*) from pg_stat_activity
                    where datname = current_database() and query like 'select pg_sleep%'
                    """
                try await eventually("a session is connected", within: .seconds(60)) {
                    try await database.psql(sleeping) == "1"
                }
                isConnected.yield(database.name)
                isConnected.finish()
                withExtendedLifetime(sleeper) {}
                throw Failure()
            }
        }
        for await name in connected {
            let count = try await Psql.run(
                "select count(*) from pg_database where datname = '\(name)'", url: TestCluster.superuserURL())
            #expect(count == "0")
        }
    }

    @Test("Psql.run throws an error if psql ends before it has read all its input, for example without a server")
    func unreadInput() async throws {
        let long = String(repeating: "select 1;\n", count: 100_000)
        await #expect(throws: PsqlFailed.self) {
            try await Psql.run(long, url: "postgresql://nobody@/nowhere?host=%2Fnowhere")
        }
    }
}
