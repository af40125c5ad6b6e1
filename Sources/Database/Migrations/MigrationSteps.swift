// Applies one migration: a transaction, or statement by statement. Each step gives up when it waits too long for a
// lock, and is tried again after a pause. Guests' statements would otherwise wait behind it for as long as it waits.
import Logging
import Postgres

/// The steps of one migration over the migrator's connection.
struct MigrationSteps: Sendable {
    let migration: Migration
    let connection: PostgresConnection
    let url: String
    /// The file and its position, for the log.
    let metadata: Logger.Metadata
    let timing: MigrationTiming
    let logger: Logger

    /// Applies the migration and records it.
    func apply() async throws(MigrationError) {
        if migration.isTransaction { return try await applyTransaction() }
        let statements = migration.statements
        for (number, statement) in zip(1..., statements) {
            var metadata = metadata
            metadata["statement"] = "\(number) of \(statements.count): \(statement.title)"
            try await retrying(metadata) { error in
                .statementFailed(
                    name: migration.name, number: number, count: statements.count, reason: "\(error)")
            } attempt: { () throws(PostgresError) in
                try await run(statement)
            }
        }
        do {
            try await record()
        } catch {
            throw .database("\(error)")
        }
    }

    private func applyTransaction() async throws(MigrationError) {
        try await retrying(metadata) { error in
            .failed(name: migration.name, reason: "\(error)")
        } attempt: { () throws(PostgresError) in
            do throws(PostgresError) {
                try await connection.run(script: "begin; set local lock_timeout = \(timing.lockTimeout.milliseconds)")
                for script in migration.scripts { try await connection.run(script: script) }
                try await record()
                try await connection.run(script: "commit")
            } catch {
                // A lost connection is rolled back by the server.
                try? await connection.run(script: "rollback")
                throw error
            }
        }
    }

    private func run(_ statement: MigrationStatement) async throws(PostgresError) {
        if case .createIndexConcurrently(let index, _, _) = statement.kind { try await dropInvalidIndex(index) }
        let timeout = statement.hasLockTimeout ? timing.lockTimeout.milliseconds : 0
        try await connection.run(script: "set lock_timeout = \(timeout)")
        try await connection.run(script: statement.sql)
    }

    /// Drops the index of an interrupted `create index concurrently`, which no query uses but every write maintains.
    private func dropInvalidIndex(_ name: String) async throws(PostgresError) {
        let invalid = try await connection.query(Self.invalidIndex, .reads, name) { try $0.next(String.self) }
        guard let index = invalid.first else { return }
        logger.notice("dropping the invalid index of an interrupted migration", metadata: ["index": "\(index)"])
        try await connection.run(script: "set lock_timeout = 0")
        try await connection.run(script: "drop index concurrently if exists \(index)")
    }

    private func record() async throws(PostgresError) {
        try await connection.execute(Self.record, .writes, migration.name, migration.checksum)
    }

    /// Makes attempts until one gets its locks, with a monitor beside each.
    private func retrying(
        _ metadata: Logger.Metadata, failure: (PostgresError) -> MigrationError,
        attempt: () async throws(PostgresError) -> Void
    ) async throws(MigrationError) {
        var holders: [String] = []
        for number in 1... {
            let monitor = MigrationMonitor(
                url: url, processID: connection.processID, metadata: metadata, timing: timing, logger: logger)
            let monitoring = Task { await monitor.run() }
            do throws(PostgresError) {
                try await attempt()
                monitoring.cancel()
                _ = await monitoring.value
                return
            } catch {
                monitoring.cancel()
                let seen = await monitoring.value
                if !seen.isEmpty { holders = seen }
                guard error.isLockConflict else { throw failure(error) }
                guard number < timing.attempts else {
                    throw .locked(name: migration.name, attempts: number, holders: holders)
                }
                let delay = timing.retryDelay(after: number)
                var metadata = metadata
                metadata["attempt"] = "\(number) of \(timing.attempts)"
                metadata["pause"] = "\(delay.milliseconds) ms"
                if !holders.isEmpty { metadata["holders"] = "\(holders.joined(separator: "; "))" }
                logger.warning("a migration did not get its locks and will try again", metadata: metadata)
                do { try await timing.sleep(.lockRetry, delay) } catch {
                    throw failure(.cancelled(mayHaveCommitted: false))
                }
            }
        }
    }

    private static let record = Statement(
        "record_migration", "insert into schema_migrations (name, checksum) values ($1, $2)")
    private static let invalidIndex = Statement(
        "find_invalid_index",
        """
        select indexrelid::regclass::text from pg_index where indexrelid = to_regclass($1) and not indisvalid
        """)
}

extension PostgresError {
    /// Whether the statement was rolled back because of the locks of others: lock_not_available or deadlock_detected.
    var isLockConflict: Bool {
        if case .server(let error) = self { ["55P03", "40P01"].contains(error.sqlState) } else { false }
    }
}

extension Duration {
    /// The whole milliseconds, as PostgreSQL's settings count.
    var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
