// The ground that all tests on a database stand on: a clone of a template for each, and nothing left behind.
import EmbeddedPostgres
import Support
import Synchronization
import Testing

@Suite struct TestDatabaseTests {
    @Test("A template is built once, however many ask at once, and its clones don't see each other")
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
                        try await database.psql("insert into numbers values (\(number)); select sum(number) from numbers")
                    }
                }
            }
            return try await group.reduce(into: []) { sums, sum in sums.append(sum) }
        }
        #expect(sums.sorted() == ["2", "3", "4", "5"])
        #expect(builds.withLock { $0 } == 1)
    }

    @Test("A database is dropped after its test, also while somebody is still connected and when the test fails")
    func dropped() async throws {
        struct Failure: Error {}
        let (connected, isConnected) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(1))
        await #expect(throws: Failure.self) {
            try await TestDatabase.with { database in
                let sleeper = Task { try await database.psql("select pg_sleep(60)") }
                let sleeping = "select count(*) from pg_stat_activity where datname = current_database() and query like 'select pg_sleep%'"
                while try await database.psql(sleeping) != "1" {}
                isConnected.yield(database.name)
                isConnected.finish()
                withExtendedLifetime(sleeper) {}
                throw Failure()
            }
        }
        for await name in connected {
            let count = try await Psql.run("select count(*) from pg_database where datname = '\(name)'", url: TestCluster.superuserURL())
            #expect(count == "0")
        }
    }
}
