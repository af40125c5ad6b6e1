// Applies the migrations of sql/ in order, each once and in its own transaction unless it says otherwise, one server at
// a time.
import Foundation
import Logging
import Postgres

/// The state of a migration.
package struct MigrationStatus: Sendable, Hashable {
    package let name: String
    /// When it was applied; nil: pending.
    package let appliedAt: String?

    package init(name: String, appliedAt: String?) { (self.name, self.appliedAt) = (name, appliedAt) }
}

/// Applies migrations to one database over a separate connection.
package struct Migrator: Sendable {
    let url: String
    let migrations: [Migration]
    let timing: MigrationTiming
    let logger: Logger

    /// A migrator for the database at `url`, with the migrations of the program or of a test.
    package init(url: String, migrations: [Migration], timing: MigrationTiming = MigrationTiming(), logger: Logger) {
        (self.url, self.migrations, self.timing, self.logger) = (url, migrations, timing, logger)
    }

    /// Applies the pending migrations and returns their names. Servers that start at the same time wait for each other.
    @discardableResult
    package func migrate() async throws(MigrationError) -> [String] {
        try await connected { connection throws(MigrationError) in try await migrate(over: connection) }
    }

    /// Migrates if the role may change the schema. Otherwise, as with the server's role, only checks that nothing is
    /// pending.
    /// - Throws: `MigrationError.notAllowed` if migrations are pending and the role may not apply them.
    package func migrateOrCheck() async throws(MigrationError) {
        _ = try await connected { connection throws(MigrationError) in
            if try await mayChangeSchema(over: connection) { return try await migrate(over: connection) }
            let pending = try await pending(over: connection)
            guard pending.isEmpty else { throw .notAllowed(pending: pending.count) }
            logger.info("the schema is up to date (checked only, because this role may not change it)")
            return []
        }
    }

    /// Returns the state of every migration; changes nothing.
    /// - Throws: Like `migrate`, if an applied file was edited or is missing, or predates the schema freeze.
    package func status() async throws(MigrationError) -> [MigrationStatus] {
        try await connected { connection throws(MigrationError) in
            let applied = try await self.applied(over: connection)
            return migrations.map { migration in
                MigrationStatus(name: migration.name, appliedAt: applied.first { $0.name == migration.name }?.at)
            }
        }
    }

    private struct Applied: Sendable {
        let name: String
        let checksum: String
        let at: String
    }

    func pending(over connection: PostgresConnection) async throws(MigrationError) -> [Migration] {
        let applied = Set(try await applied(over: connection).map(\.name))
        return migrations.filter { !applied.contains($0.name) }
    }

    /// The applied migrations, after checking that they match our files.
    private func applied(over connection: PostgresConnection) async throws(MigrationError) -> [Applied] {
        do {
            let exists = try await connection.query(Self.tableExists, .reads) { try $0.next(Bool.self) }
            guard exists == [true] else { return [] }
            let applied = try await connection.query(Self.listApplied, .reads) { row throws(PostgresError) in
                Applied(name: try row.next(), checksum: try row.next(), at: try row.next())
            }
            let ownChecksums = Dictionary(
                migrations.map { ($0.name, $0.checksum) }, uniquingKeysWith: { first, _ in first })
            for one in applied {
                if ownChecksums[one.name] == one.checksum { continue }
                if Migration.formerChecksums[one.name]?.contains(one.checksum) == true { continue }
                // Our own frozen files cannot differ: a test compares them with their checksums.
                if Migration.isFrozen(one.name) { throw MigrationError.predatesFreeze(name: one.name) }
                throw ownChecksums[one.name] == nil
                    ? MigrationError.missing(name: one.name) : MigrationError.edited(name: one.name)
            }
            return applied
        } catch let error as MigrationError {
            throw error
        } catch {
            throw .database("\(error)")
        }
    }

    private func migrate(over connection: PostgresConnection) async throws(MigrationError) -> [String] {
        try await lock(over: connection)
        do {
            try await connection.run(script: Self.createTable)
        } catch {
            throw .database("\(error)")
        }
        let pending = try await pending(over: connection)
        for migration in pending {
            if let problem = migration.problem { throw .invalid(name: migration.name, reason: problem) }
        }
        for (number, migration) in zip(1..., pending) {
            let metadata: Logger.Metadata = ["name": "\(migration.name)", "file": "\(number) of \(pending.count)"]
            let steps = MigrationSteps(
                migration: migration, connection: connection, url: url, metadata: metadata, timing: timing,
                logger: logger)
            try await steps.apply()
            logger.info("migration applied", metadata: metadata)
        }
        return pending.map(\.name)
    }

    /// Takes a session lock, which PostgreSQL releases with the connection, even if this process dies.
    ///
    /// Polls, because `create index concurrently` of another migrator waits for every transaction with an older
    /// snapshot. A session that waits in `pg_advisory_lock` has one, so both would wait for each other.
    func lock(over connection: PostgresConnection) async throws(MigrationError) {
        do throws(PostgresError) {
            var attempts = 0
            while try await connection.query(Self.tryLock, .writes, Self.lock, decode: { try $0.next(Bool.self) })
                != [true]
            {
                if attempts.isMultiple(of: Self.attemptsPerReport) {
                    let holders = try await connection.query(LockHolder.ofAdvisoryLock, .reads, Self.lock) {
                        row throws(PostgresError) in try LockHolder(&row).description
                    }
                    logger.notice(
                        "waiting for another migrator", metadata: ["holder": "\(holders.joined(separator: "; "))"])
                }
                attempts += 1
                do { try await timing.sleep(.otherMigrator, .milliseconds(200)) } catch {
                    throw PostgresError.cancelled(mayHaveCommitted: false)
                }
            }
        } catch {
            throw .database("\(error)")
        }
    }

    func mayChangeSchema(over connection: PostgresConnection) async throws(MigrationError) -> Bool {
        do {
            return try await connection.query(Self.mayChange, .reads) { try $0.next(Bool.self) } == [true]
        } catch {
            throw .database("\(error)")
        }
    }

    func connected<Value: Sendable>(
        _ work: (PostgresConnection) async throws(MigrationError) -> Value
    ) async throws(MigrationError) -> Value {
        try await PostgresConnection.with(
            url, sessionSettings: Self.sessionSettings, logger: logger, orThrow: { .database("\($0)") }, work)
    }

    /// If this process dies, PostgreSQL notices it within the interval and ends the statement that runs.
    private static let sessionSettings = [
        "application_name": "welms migrate", "client_min_messages": "warning", "client_connection_check_interval": "2s",
    ]

    /// "welms" in ASCII: one lock per database.
    private static let lock: Int64 = 0x77_656C_6D73

    private static let createTable = """
        create table if not exists schema_migrations (
            name       text        not null constraint schema_migrations_pkey primary key,
            checksum   text        not null,
            applied_at timestamptz not null default now()
        )
        """
    private static let tableExists = Statement(
        "migrations_table_exists", "select to_regclass('schema_migrations') is not null")
    private static let mayChange = Statement("may_change_schema", "select has_schema_privilege('public', 'CREATE')")
    private static let listApplied = Statement(
        "list_migrations",
        """
        select name, checksum, to_char(applied_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SSZ')
        from schema_migrations order by name
        """)
    private static let tryLock = Statement("try_migration_lock", "select pg_try_advisory_lock($1)")
    /// With 200 ms between the attempts: a report every ten seconds.
    private static let attemptsPerReport = 50
}
