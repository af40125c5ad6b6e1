// The migrator applies each file once and in order, one server at a time, and each file completely or not at all.
// Tests Sources/Database/Migrations/Migrator.swift with files of the tests and with the shipped files.
@testable import Database
import Support
import Testing

@Suite struct MigratorTests {
    private static let first = Migration(name: "101_notes.sql", sql: "create table notes (text text);")
    private static let second = Migration(
        name: "102_more.sql", sql: "alter table notes add column more text; insert into notes values ('a', 'b');")

    private func migrator(_ database: TestDatabase, _ migrations: Migration...) -> Migrator {
        Migrator(url: database.url, migrations: migrations, logger: .silent)
    }

    @Test("Files are applied in order, and a second run applies nothing")
    func order() async throws {
        try await TestDatabase.with { database async throws in
            let migrator = migrator(database, Self.first, Self.second)
            #expect(try await migrator.migrate() == ["101_notes.sql", "102_more.sql"])
            #expect(try await migrator.migrate() == [])
            #expect(try await database.psql("select * from notes") == "a|b")
        }
    }

    @Test("A database that has applied an earlier text with the same effect is up to date")
    func formerText() async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            let migrator = Migrator(url: database.url, migrations: try Migration.shipped(), logger: .silent)
            func record(_ checksum: String, of name: String) async throws {
                try await database.psql(
                    "update schema_migrations set checksum = '\(checksum)' where name = '\(name)'")
            }
            for (name, checksums) in Migration.formerChecksums {
                for checksum in checksums {
                    try await record(checksum, of: name)
                    #expect(try await migrator.migrate() == [])
                }
                try await record("another", of: name)
                await #expect {
                    _ = try await migrator.migrate()
                } throws: {
                    if case .edited(name)? = $0 as? MigrationError { true } else { false }
                }
            }
        }
    }

    // Citus sends the text of a change to its workers, which execute only single statements.
    @Test("Each statement of a file is sent alone, in one transaction")
    func singleStatements() async throws {
        try await TestDatabase.with { database async throws in
            let sql = """
                create table notes as select current_query() as text, pg_current_xact_id()::text as number; -- one; two
                insert into notes values (current_query(), pg_current_xact_id()::text);
                """
            try await migrator(database, Migration(name: "101_notes.sql", sql: sql)).migrate()
            #expect(
                try await database.psql(
                    """
                    select count(*) filter (where text like '%insert into%'),
                        count(*) filter (where text like '%create table%'), count(distinct number) from notes
                    """) == "1|1|1")
        }
    }

    @Test("A newer program applies only the files that are new to the database")
    func newFile() async throws {
        try await TestDatabase.with { database async throws in
            #expect(try await migrator(database, Self.first).migrate() == ["101_notes.sql"])
            #expect(try await migrator(database, Self.first, Self.second).migrate() == ["102_more.sql"])
        }
    }

    @Test("Servers that start together apply each file once")
    func concurrentServers() async throws {
        try await TestDatabase.with { database async throws in
            let applied = try await withThrowingTaskGroup(of: [String].self) { group in
                for _ in 0..<8 { group.addTask { try await migrator(database, Self.first, Self.second).migrate() } }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(applied == ["101_notes.sql", "102_more.sql"])
            #expect(try await database.psql("select count(*) from notes") == "1")
        }
    }

    @Test("An applied file that was edited is rejected by name, and the error says what to do")
    func edited() async throws {
        try await TestDatabase.with { database async throws in
            try await migrator(database, Self.first).migrate()
            let edited = Migration(name: Self.first.name, sql: Self.first.sql + " -- oops")
            let refusal = await refusal { try await migrator(database, edited, Self.second).migrate() }
            #expect(refusal?.contains("101_notes.sql") == true)
            #expect(refusal?.contains("restore it, and write a new file") == true)
            #expect(await self.refusal { try await migrator(database, edited).status() } == refusal)
            #expect(
                try await database.psql("select name from schema_migrations") == "101_notes.sql",
                "no later file is applied")
        }
    }

    @Test("An applied file that the program does not contain is rejected by name, and the error says what to do")
    func missing() async throws {
        try await TestDatabase.with { database async throws in
            try await migrator(database, Self.first, Self.second).migrate()
            let refusal = await refusal { try await migrator(database, Self.first).migrate() }
            #expect(refusal?.contains("102_more.sql") == true)
            #expect(refusal?.contains("run the version that brought it") == true)
        }
    }

    @Test(
        "A database whose frozen files have other checksums or names is rejected, and the error says what to do",
        arguments: [
            "insert into schema_migrations values ('000_rules.sql', repeat('0', 64))",
            "insert into schema_migrations values ('022_renamed_later.sql', repeat('0', 64))",
        ])
    func predatesFreeze(sql: String) async throws {
        try await TestDatabase.with { database async throws in
            try await migrator(database, Self.first).migrate()
            try await database.psql(sql)
            let migrator = Migrator(
                url: database.url, migrations: try Migration.shipped() + [Self.first, Self.second], logger: .silent)
            let refusal = await refusal { try await migrator.migrate() }
            #expect(refusal?.contains("a version before the schema freeze created this database") == true)
            #expect(refusal?.contains(": use a new, empty database, or run the version that created this one") == true)
            #expect(refusal?.contains("\n") == false)
            #expect(await self.refusal { try await migrator.status() } == refusal)
            #expect(await self.refusal { try await migrator.migrateOrCheck() } == refusal)
            #expect(
                try await database.psql("select count(*) from schema_migrations") == "2", "no later file is applied")
        }
    }

    @Test("A failing file is named with PostgreSQL's error, rolled back, and can be retried after a correction")
    func failing() async throws {
        try await TestDatabase.with { database async throws in
            let failing = Migration(
                name: "102_more.sql", sql: "create table more (id integer); insert into nowhere values (1);")
            let refusal = await refusal { try await migrator(database, Self.first, failing).migrate() }
            #expect(refusal?.contains("102_more.sql failed and was rolled back") == true)
            #expect(refusal?.contains("relation \"nowhere\" does not exist") == true)
            #expect(
                try await database.psql(
                    "select to_regclass('more') is null, (select string_agg(name, ',') from schema_migrations)")
                    == "t|101_notes.sql")
            #expect(try await migrator(database, Self.first, Self.second).migrate() == ["102_more.sql"])
        }
    }

    @Test("The status lists applied and missing files, and changes nothing")
    func status() async throws {
        try await TestDatabase.with { database async throws in
            let both = migrator(database, Self.first, Self.second)
            #expect(try await both.status().map(\.appliedAt) == [nil, nil])
            #expect(
                try await database.psql("select count(*) from pg_class where relnamespace = 'public'::regnamespace")
                    == "0")
            try await migrator(database, Self.first).migrate()
            let status = try await both.status()
            #expect(status.map(\.name) == ["101_notes.sql", "102_more.sql"])
            #expect(status.first?.appliedAt != nil)
            #expect(status.last?.appliedAt == nil)
            #expect(try await database.psql("select name from schema_migrations") == "101_notes.sql")
        }
    }

    @Test("A server that is killed during a migration leaves no lock behind")
    func killed() async throws {
        try await TestDatabase.with { database async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    // The session that holds the lock is terminated, as if its process were killed.
                    let slow = Migration(name: "101_notes.sql", sql: "select pg_sleep(600);")
                    _ = await refusal { try await migrator(database, slow).migrate() }
                }
                // The search uses the wait event. A search for the statement's text would find the search itself.
                let kill = """
                    select pg_terminate_backend(pid) from pg_stat_activity
                    where datname = current_database() and application_name = 'welms migrate' and wait_event = 'PgSleep'
                    """
                while try await database.psql(kill).isEmpty {}
                try await group.waitForAll()
            }
            #expect(try await migrator(database, Self.first).migrate() == ["101_notes.sql"])
        }
    }

    @Test("The shipped files are numbered without a gap, create the schema and are all recorded")
    func shipped() async throws {
        let shipped = try Migration.shipped()
        #expect(shipped.map { String($0.name.prefix(3)) } == shipped.indices.map { String("\(1000 + $0)".dropFirst()) })
        try await TestDatabase.with(.migrated) { database async throws in
            let status = try await Migrator(url: database.url, migrations: shipped, logger: .silent).status()
            #expect(status.allSatisfy { $0.appliedAt != nil })
            #expect(
                try await database.psql("select time_zone, currency, default_country from shop")
                    == "America/New_York|USD|US")
        }
    }

    /// The error as the operator reads it; nil on success.
    private func refusal(_ work: () async throws -> some Any) async -> String? {
        do {
            _ = try await work()
            return nil
        } catch {
            return "\(error)"
        }
    }
}
