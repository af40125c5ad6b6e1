// `welms migrate --dry-run` predicts the table locks of each step and changes nothing. Tests
// Sources/Database/Migrations/Migrator+Preview.swift against pg_locks of sessions that run the same files.
import Postgres
import Support
import Testing

@testable import Database

@Suite("Locks of pending migrations", .timeLimit(.minutes(5)))
struct MigrationPreviewTests {
    private static let tables = Migration(
        name: "101_tables.sql",
        sql: """
            create table notes (id integer primary key, text text);
            create table more (id integer, note integer);
            create index more_by_note on more (note);
            insert into notes values (1, 'a');
            """)
    private static let pending = [
        Migration(
            name: "102_reference.sql",
            sql: "alter table more add constraint note_exists foreign key (note) references notes"),
        Migration(name: "103_column.sql", sql: "alter table notes add column kind text"),
        Migration(name: "104_fill.sql", sql: "update notes set text = 'b'; create index on more (id);"),
        Migration(name: "105_new.sql", sql: "create table later (id integer); insert into later values (1);"),
    ]
    private static let concurrent = Migration(
        name: "106_index.sql",
        sql: """
            -- welms: no transaction
            create index concurrently if not exists notes_by_text on notes (text);
            drop index concurrently if exists more_by_note;
            update notes set text = 'c';
            """)

    private func preview(_ database: TestDatabase, _ migrations: [Migration]) async throws -> [MigrationPreview] {
        try await Migrator(url: database.url, migrations: migrations, logger: .silent).preview()
    }

    private func migrate(_ database: TestDatabase, _ migrations: [Migration]) async throws {
        try await Migrator(url: database.url, migrations: migrations, logger: .silent).migrate()
    }

    /// The locks of existing tables that pg_locks shows after the SQL has run in a transaction.
    private func locks(of sql: String, in database: TestDatabase) async throws -> Set<TableLock> {
        let existing = try await database.psql(
            """
            select string_agg(oid::text, ',') from pg_class
            where relkind = 'r' and relnamespace = 'public'::regnamespace
            """)
        let rows = try await database.psql(
            """
            begin; \(sql);
            select relation::regclass, mode from pg_locks
            where pid = pg_backend_pid() and relation in (\(existing)) and granted;
            rollback
            """)
        return Self.locks(in: rows)
    }

    private static func locks(in rows: String) -> Set<TableLock> {
        Set(
            rows.split(separator: "\n").compactMap { row in
                let columns = row.split(separator: "|").map(String.init)
                guard columns.count == 2, let mode = LockMode(rawValue: columns[1]) else { return nil }
                return TableLock(table: columns[0], mode: mode)
            })
    }

    private static let state = """
        select (select string_agg(oid || relname || relfilenode, ',' order by oid) from pg_class
                where relnamespace = 'public'::regnamespace),
            (select string_agg(name, ',') from schema_migrations), (select text from notes)
        """

    @Test("The dry run lists the locks that pg_locks shows for each file, and changes nothing")
    func measured() async throws {
        try await TestDatabase.with { database async throws in
            try await migrate(database, [Self.tables])
            let before = try await database.psql(Self.state)
            let previews = try await preview(database, [Self.tables] + Self.pending)
            #expect(previews.map(\.name) == Self.pending.map(\.name))
            for (preview, migration) in zip(previews, Self.pending) {
                let step = try #require(preview.steps.first)
                #expect(preview.steps.count == 1 && step.origin == .measured)
                #expect(Set(step.locks) == (try await locks(of: migration.sql, in: database)), "\(migration.name)")
            }
            #expect(try await database.psql(Self.state) == before)
            let locks = "select count(*) from pg_locks where locktype = 'relation' and relation = 'notes'::regclass"
            #expect(try await database.psql(locks) == "0")
        }
    }

    @Test("The dry run prints the modes by table with their effect")
    func printed() async throws {
        try await TestDatabase.with { database async throws in
            try await migrate(database, [Self.tables])
            let lines = try await preview(database, [Self.tables] + Self.pending + [Self.concurrent]).flatMap(\.lines)
            #expect(
                lines == [
                    "would apply 102_reference.sql",
                    "    locks more: SHARE ROW EXCLUSIVE, ACCESS SHARE (blocks writes)",
                    "    locks notes: SHARE ROW EXCLUSIVE, ROW SHARE, ACCESS SHARE (blocks writes)",
                    "would apply 103_column.sql",
                    "    locks notes: ACCESS EXCLUSIVE (blocks reads and writes)",
                    "would apply 104_fill.sql",
                    "    locks more: SHARE (blocks writes)",
                    "    locks notes: ROW EXCLUSIVE (blocks neither reads nor writes)",
                    "would apply 105_new.sql",
                    "    locks no existing table",
                    "would apply 106_index.sql, statement by statement without a transaction",
                    "    create index concurrently if not exists notes_by_text on notes (text)",
                    "        locks notes: SHARE UPDATE EXCLUSIVE (blocks neither reads nor writes)",
                    "    drop index concurrently if exists more_by_note",
                    "        locks more: SHARE UPDATE EXCLUSIVE (blocks neither reads nor writes)",
                    "    update notes set text = 'c'",
                    "        locks notes: ROW EXCLUSIVE (blocks neither reads nor writes)",
                ])
        }
    }

    @Test("The documented lock of a concurrent creation of an index is the one that pg_locks shows while it runs")
    func concurrentIndex() async throws {
        try await TestDatabase.with { database async throws in
            try await migrate(database, [Self.tables])
            let preview = try #require(try await preview(database, [Self.tables, Self.concurrent]).first)
            #expect(preview.steps.map(\.origin) == [.documented, .documented, .measured])
            let writer = try await PostgresConnection.connect(database.url, logger: .silent)
            try await writer.run(script: "begin; insert into notes values (2, 'b')")
            async let migrated: Void = migrate(database, [Self.tables, Self.concurrent])
            try await eventually("the creation waits for the writer") {
                let rows = try await database.psql(
                    """
                    select relation::regclass, mode from pg_locks join pg_stat_progress_create_index using (pid)
                    where relation in ('notes'::regclass, 'more'::regclass) and granted
                        and phase = 'waiting for writers before build'
                    """)
                return Self.locks(in: rows) == Set(preview.steps[0].locks) && !preview.steps[0].locks.isEmpty
            }
            await writer.close()
            try await migrated
        }
    }

    @Test("The dry run of the last shipped migration that is a transaction lists the locks that pg_locks shows")
    func shipped() async throws {
        let all = try Migration.shipped()
        let end = try #require(all.lastIndex { $0.isTransaction })
        let (shipped, last) = (Array(all[...end]), all[end])
        try await TestDatabase.with { database async throws in
            try await migrate(database, Array(shipped.dropLast()))
            let preview = try #require(try await preview(database, shipped).first)
            #expect(preview.name == last.name)
            #expect(Set(preview.steps.flatMap(\.locks)) == (try await locks(of: last.sql, in: database)))
        }
    }

    @Test("A step that needs an earlier file is measured after it, and a failing step is reported with its error")
    func dependent() async throws {
        try await TestDatabase.with { database async throws in
            try await migrate(database, [Self.tables])
            let dependent = Migration(
                name: "104_kind.sql", sql: "update notes set kind = 'a', text = 'b'; select from more")
            let failing = Migration(name: "105_fails.sql", sql: "update notes set none = 1")
            let previews = try await preview(database, [Self.tables, Self.pending[1], dependent, failing])
            #expect(
                previews.flatMap(\.lines).dropFirst(2) == [
                    "would apply 104_kind.sql",
                    "    locks more: ACCESS SHARE (blocks neither reads nor writes)",
                    "    locks notes: ROW EXCLUSIVE (blocks neither reads nor writes)",
                    "    needs the steps before it, whose locks are not repeated",
                    "would apply 105_fails.sql",
                    "    its locks are unknown: ERROR 42703: column \"none\" of relation \"notes\" does not exist",
                ])
        }
    }

    @Test("On an empty database the dry run locks no table, and creates none")
    func emptyDatabase() async throws {
        try await TestDatabase.with { database async throws in
            let previews = try await preview(database, [Self.tables] + Self.pending)
            #expect(previews.flatMap(\.steps).allSatisfy { $0.locks.isEmpty })
            #expect(
                try await database.psql("select count(*) from pg_class where relnamespace = 'public'::regnamespace")
                    == "0")
        }
    }

    @Test("A role that may not migrate gets the names of the pending files")
    func serverRole() async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            let pending = Migration(name: "901_new.sql", sql: "create table new (id integer)")
            let migrator = Migrator(
                url: database.serverURL, migrations: try Migration.shipped() + [pending], logger: .silent)
            #expect(
                try await migrator.preview().flatMap(\.lines) == [
                    "would apply 901_new.sql", "    its locks are unknown: this role may not migrate",
                ])
        }
    }

    @Test("The dry run tries again if another session holds a lock for too long")
    func retries() async throws {
        try await TestDatabase.with { database async throws in
            try await migrate(database, [Self.tables])
            let holder = try await PostgresConnection.connect(database.url, logger: .silent)
            try await holder.run(script: "begin; lock table notes in access share mode")
            var timing = MigrationTiming()
            timing.lockTimeout = .milliseconds(50)
            timing.sleep = { pause, _ in
                #expect(pause == .lockRetry)
                await holder.close()
            }
            let migrator = Migrator(
                url: database.url, migrations: [Self.tables, Self.pending[1]], timing: timing, logger: .silent)
            #expect(try await migrator.preview().first?.steps.first?.origin == .measured)
        }
    }
}
