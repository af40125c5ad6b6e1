// Migrations beside other transactions: lock timeouts with retries, files without a transaction, and progress.
// Tests Sources/Database/Migrations/MigrationSteps.swift and MigrationMonitor.swift with files of the tests.
import Logging
import Postgres
import Support
import Synchronization
import Testing

@testable import Database

@Suite("Migrations of large tables", .timeLimit(.minutes(5)))
struct LargeTableMigrationTests {
    private static let notes = Migration(
        name: "101_notes.sql", sql: "create table notes (text text); insert into notes values ('a'), ('b');")
    private static let column = Migration(name: "102_column.sql", sql: "alter table notes add column more text;")
    private static let index = Migration(
        name: "103_index.sql",
        sql: """
            -- welms: no transaction
            create index concurrently if not exists notes_by_text on notes (text);
            analyze notes;
            """)

    /// A timing whose pauses last no time, and whose monitor does nothing.
    private static func timing(_ onPause: @escaping @Sendable (MigrationTiming.Pause, Duration) async throws -> Void)
        -> MigrationTiming
    {
        var timing = MigrationTiming()
        timing.lockTimeout = .milliseconds(50)
        timing.jitterPercent = { 100 }
        timing.sleep = { pause, duration in
            if pause == .progress { return try await Task.sleep(for: .seconds(600)) }
            try await onPause(pause, duration)
        }
        return timing
    }

    /// A timing with a monitor that looks every 10 ms, and lock timeouts that are never reached.
    private static let watched = {
        var timing = MigrationTiming()
        timing.lockTimeout = .seconds(300)
        timing.sleep = { _, _ in try await Task.sleep(for: .milliseconds(10)) }
        return timing
    }()

    private func migrator(
        _ database: TestDatabase, _ migrations: [Migration], _ timing: MigrationTiming, _ log: LogRecorder = .init()
    ) -> Migrator {
        Migrator(url: database.url, migrations: migrations, timing: timing, logger: log.logger)
    }

    /// A session with an open transaction.
    private func holder(_ database: TestDatabase, _ sql: String) async throws -> PostgresConnection {
        let holder = try await PostgresConnection.connect(
            database.url, sessionSettings: ["application_name": "holder"], logger: .silent)
        try await holder.run(script: "begin; " + sql)
        return holder
    }

    @Test("A step that gets no lock in time is rolled back, and tried again after growing pauses")
    func retries() async throws {
        try await TestDatabase.with { database async throws in
            try await migrator(database, [Self.notes], MigrationTiming()).migrate()
            let holder = try await holder(database, "lock table notes in access share mode")
            let delays = Mutex<[Duration]>([])
            let log = LogRecorder()
            let timing = Self.timing { pause, delay in
                #expect(pause == .lockRetry)
                let waiting = try await database.psql(
                    "select count(*) from pg_locks where relation = 'notes'::regclass and mode <> 'AccessShareLock'")
                #expect(waiting == "0", "the statements of guests do not wait behind a migration that pauses")
                let attempts = delays.withLock { delays in
                    delays.append(delay)
                    return delays.count
                }
                if attempts == 3 { await holder.close() }
            }
            let applied = try await migrator(database, [Self.notes, Self.column], timing, log).migrate()
            #expect(applied == ["102_column.sql"])
            #expect(delays.withLock { $0 } == [.seconds(1), .seconds(2), .seconds(4)])
            let warnings = log.lines.withLock { $0 }.filter { $0.contains("did not get its locks") }
            #expect(warnings.count == 3)
            #expect(warnings.first?.contains("1 of 20") == true && warnings.first?.contains("1 of 1") == true)
        }
    }

    @Test("A step that never gets its locks fails after the last attempt, says what to do, and leaves nothing behind")
    func exhausted() async throws {
        try await TestDatabase.with { database async throws in
            try await migrator(database, [Self.notes], MigrationTiming()).migrate()
            let holder = try await holder(database, "lock table notes in access share mode")
            var timing = Self.timing { _, _ in }
            timing.attempts = 3
            let error = await #expect(throws: MigrationError.self) {
                try await migrator(database, [Self.notes, Self.column], timing).migrate()
            }
            #expect(
                error?.description == "migration 102_column.sql could not get its locks in 3 attempts: "
                    + "end the transactions that hold them, and migrate again")
            let seen = MigrationError.locked(name: "102_column.sql", attempts: 3, holders: ["process 1 (psql)"])
            #expect(seen.description.contains("that hold them, such as process 1 (psql), and migrate again"))
            await holder.close()
            #expect(try await database.psql("select name from schema_migrations") == "101_notes.sql")
        }
    }

    @Test("The log says for which session a step waits: process, application, user and begin")
    func progressOfWait() async throws {
        try await TestDatabase.with { database async throws in
            try await migrator(database, [Self.notes], MigrationTiming()).migrate()
            let holder = try await holder(database, "lock table notes in access share mode")
            let log = LogRecorder()
            async let applied = migrator(database, [Self.notes, Self.column], Self.watched, log).migrate()
            try await eventually("the wait is logged") {
                log.lines.withLock { $0 }.contains { line in
                    line.contains("a migration waits for a lock") && line.contains("102_column.sql")
                        && line.contains("1 of 1")
                        && line.contains("process \(holder.processID) (holder, user welms_owner, since 2")
                }
            }
            await holder.close()
            #expect(try await applied == ["102_column.sql"])
        }
    }

    @Test("A file without a transaction runs statement by statement, and is recorded at its end")
    func withoutTransaction() async throws {
        try await TestDatabase.with { database async throws in
            let applied = try await migrator(database, [Self.notes, Self.index], MigrationTiming()).migrate()
            #expect(applied == ["101_notes.sql", "103_index.sql"])
            #expect(
                try await database.psql("select indisvalid from pg_index where indexrelid = 'notes_by_text'::regclass")
                    == "t")
            #expect(try await database.psql("select count(*) from schema_migrations") == "2")
        }
    }

    @Test("A failing statement without a transaction is named, and the corrected file is repeated from its begin")
    func failingStatement() async throws {
        try await TestDatabase.with { database async throws in
            let sql = "-- welms: no transaction\ncreate table if not exists more (); insert into nowhere values (1);"
            let failing = Migration(name: "102_more.sql", sql: sql)
            let error = await #expect(throws: MigrationError.self) {
                try await migrator(database, [Self.notes, failing], MigrationTiming()).migrate()
            }
            let text = error?.description ?? ""
            #expect(
                text.contains("statement 2 of 2 of migration 102_more.sql failed, outside a transaction"), "\(text)")
            #expect(text.contains("relation \"nowhere\" does not exist"), "\(text)")
            #expect(try await database.psql("select to_regclass('more'), count(*) from schema_migrations") == "more|1")
            let corrected = Migration(name: "102_more.sql", sql: sql.replacing("nowhere", with: "notes"))
            #expect(
                try await migrator(database, [Self.notes, corrected], MigrationTiming()).migrate() == ["102_more.sql"])
        }
    }

    @Test("A file that breaks a rule is rejected before any pending file is applied")
    func invalid() async throws {
        try await TestDatabase.with { database async throws in
            let invalid = Migration(name: "102_commit.sql", sql: "commit;")
            await #expect(throws: MigrationError.self) {
                try await migrator(database, [Self.notes, invalid], MigrationTiming()).migrate()
            }
            #expect(try await database.psql("select count(*) from schema_migrations") == "0")
        }
    }

    @Test("The invalid index of an interrupted migration is dropped and created again")
    func interruptedIndex() async throws {
        try await TestDatabase.with { database async throws in
            let log = LogRecorder()
            let migrator = migrator(database, [Self.notes, Self.index], Self.timing { _, _ in }, log)
            try await self.migrator(database, [Self.notes], MigrationTiming()).migrate()
            let writer = try await holder(database, "insert into notes values ('c')")
            async let interrupted: Void = {
                _ = try? await migrator.migrate()
            }()
            // The index exists, invalid, while its creation waits for the writer: longer than the lock timeout.
            try await eventually("the creation waits for the writer") {
                try await database.psql(
                    """
                    select count(*) from pg_stat_progress_create_index
                    where phase = 'waiting for writers before build' and datname = current_database()
                    """) == "1"
            }
            #expect(
                try await database.psql("select indisvalid from pg_index where indexrelid = 'notes_by_text'::regclass")
                    == "f")
            try await database.psql(
                """
                select pg_terminate_backend(pid) from pg_stat_activity
                where datname = current_database() and application_name = 'welms migrate'
                """)
            await interrupted
            #expect(try await database.psql("select count(*) from schema_migrations") == "1")
            await writer.close()
            #expect(try await migrator.migrate() == ["103_index.sql"])
            #expect(log.lines.withLock { $0 }.contains { $0.contains("dropping the invalid index") })
            #expect(
                try await database.psql(
                    "select string_agg(indexrelid::regclass || ' ' || indisvalid, ', ') from pg_index "
                        + "where indrelid = 'notes'::regclass") == "notes_by_text true")
        }
    }

    @Test("A valid index of an interrupted migration that was not recorded is kept")
    func unrecordedIndex() async throws {
        try await TestDatabase.with { database async throws in
            let migrator = migrator(database, [Self.notes, Self.index], MigrationTiming())
            try await migrator.migrate()
            let identity = "select 'notes_by_text'::regclass::oid"
            let before = try await database.psql(identity)
            try await database.psql("delete from schema_migrations where name = '103_index.sql'")
            #expect(try await migrator.migrate() == ["103_index.sql"])
            #expect(try await database.psql(identity) == before)
        }
    }

    @Test("A second migrator that waits for the first one does not block its concurrent creation of an index")
    func secondMigrator() async throws {
        try await TestDatabase.with { database async throws in
            try await migrator(database, [Self.notes], MigrationTiming()).migrate()
            let writer = try await holder(database, "insert into notes values ('c')")
            let waits = Gate()
            let timing = Self.timing { pause, _ in
                #expect(pause == .otherMigrator)
                await waits.wait()
            }
            let log = LogRecorder()
            let first = migrator(database, [Self.notes, Self.index], Self.timing { _, _ in })
            let second = migrator(database, [Self.notes, Self.index], timing, log)
            async let firstApplied = first.migrate()
            try await eventually("the first migrator creates the index") {
                try await database.psql(
                    "select count(*) from pg_stat_progress_create_index where datname = current_database()") == "1"
            }
            async let secondApplied = second.migrate()
            await waits.waitForCaller()
            await writer.close()
            #expect(try await firstApplied == ["103_index.sql"])
            waits.open()
            #expect(try await secondApplied == [])
            let line = log.lines.withLock { $0 }.first { $0.contains("waiting for another migrator") }
            #expect(line?.contains("(welms migrate, user welms_owner") == true, "\(line ?? "")")
        }
    }

    @Test("The log reports the phase and the progress of the creation of an index")
    func progressOfIndex() async throws {
        try await TestDatabase.with { database async throws in
            try await migrator(database, [Self.notes], MigrationTiming()).migrate()
            // The index waits in this function for the test, without waiting for a lock.
            try await database.psql(
                """
                create function slow(text) returns text language plpgsql immutable as $$
                begin
                    while not pg_try_advisory_xact_lock_shared(42) loop perform pg_sleep(0.005); end loop;
                    return $1;
                end $$
                """)
            let gate = try await PostgresConnection.connect(database.url, logger: .silent)
            try await gate.run(script: "select pg_advisory_lock(42)")
            let slow = Migration(
                name: "102_slow.sql",
                sql: "-- welms: no transaction\ncreate index concurrently if not exists slow on notes (slow(text));")
            let log = LogRecorder()
            async let applied = migrator(database, [Self.notes, slow], Self.watched, log).migrate()
            try await eventually("the progress is logged") {
                log.lines.withLock { $0 }.contains { line in
                    line.contains("a migration creates an index") && line.contains("building index")
                        && line.contains("1 of 1: create index concurrently if not exists slow on notes")
                        && line.contains("blocks")
                }
            }
            await gate.close()
            #expect(try await applied == ["102_slow.sql"])
        }
    }
}
