// `welms migrate --dry-run`: runs the pending files in transactions that are rolled back, and reads their locks.
import Postgres

extension Migrator {
    /// Returns what `migrate` would do. Changes nothing, but takes the locks of the files while they run, and the
    /// numbers that a file draws from a sequence.
    /// - Throws: Like `migrate`.
    package func preview() async throws(MigrationError) -> [MigrationPreview] {
        try await connected { connection throws(MigrationError) in
            let pending = try await pending(over: connection)
            guard !pending.isEmpty else { return [] }
            guard try await mayChangeSchema(over: connection) else {
                return pending.map { migration in
                    MigrationPreview(
                        name: migration.name, isTransaction: migration.isTransaction,
                        steps: [.init(statement: nil, locks: [], origin: .unknown("this role may not migrate"))])
                }
            }
            for migration in pending {
                if let problem = migration.problem { throw .invalid(name: migration.name, reason: problem) }
            }
            try await lock(over: connection)
            // Another migrator may have applied files meanwhile.
            return try await preview(of: self.pending(over: connection), over: connection)
        }
    }

    private func preview(of pending: [Migration], over connection: PostgresConnection) async throws(MigrationError)
        -> [MigrationPreview]
    {
        let steps = pending.flatMap { migration in
            migration.isTransaction
                ? [PreviewStep(name: migration.name, sql: migration.sql, statement: nil)]
                : migration.statements.map { PreviewStep(name: migration.name, sql: $0.sql, statement: $0) }
        }
        let results: [PreviewStep.Result]
        do {
            results = try await measure(steps, over: connection)
        } catch {
            throw .database("\(error)")
        }
        let stepsByName = Dictionary(grouping: zip(steps, results), by: \.0.name)
        return pending.map { migration in
            MigrationPreview(
                name: migration.name, isTransaction: migration.isTransaction,
                steps: stepsByName[migration.name, default: []].map { step, result in
                    MigrationPreview.Step(
                        statement: step.statement?.title, locks: result.locks.sorted(), origin: result.origin)
                })
        }
    }

    /// Measures all steps, again from the first one if another session holds a lock for too long.
    private func measure(_ steps: [PreviewStep], over connection: PostgresConnection) async throws(PostgresError)
        -> [PreviewStep.Result]
    {
        for attempt in 1... {
            do throws(PostgresError) {
                let measurement = try await LockMeasurement(connection, lockTimeout: timing.lockTimeout)
                return try await measurement.measure(steps)
            } catch {
                guard error.isLockConflict, attempt < timing.attempts else { throw error }
                let delay = timing.retryDelay(after: attempt)
                logger.warning(
                    "the dry run did not get the locks and will try again", metadata: ["error": "\(error)"])
                do { try await timing.sleep(.lockRetry, delay) } catch { throw .cancelled(mayHaveCommitted: false) }
            }
        }
        return []
    }
}

/// A file, or a statement of a file without a transaction.
private struct PreviewStep: Sendable {
    let name: String
    let sql: String
    let statement: MigrationStatement?

    var canRunInTransaction: Bool { statement?.canRunInTransaction ?? true }

    /// The locks of a step.
    struct Result: Sendable {
        let locks: Set<TableLock>
        let origin: MigrationPreview.Step.Origin
    }
}

/// Runs steps in transactions that are rolled back, and reads the locks of its own session.
private struct LockMeasurement {
    private let connection: PostgresConnection
    private let begin: String
    /// The tables before the first step, by object id. A table that a step creates has no other user.
    private let tables: [Int64: String]

    init(_ connection: PostgresConnection, lockTimeout: Duration) async throws(PostgresError) {
        self.connection = connection
        begin = "begin; set local lock_timeout = \(lockTimeout.milliseconds)"
        let found = try await connection.query(Self.listTables, .reads) { row throws(PostgresError) in
            ListedTable(id: try row.next(), name: try row.next())
        }
        tables = Dictionary(found.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    }

    /// Measures each step in order, in one transaction, and each step alone, if it does not need the earlier ones.
    ///
    /// In one transaction, a lock that an earlier step holds already is not seen again; alone, it is.
    func measure(_ steps: [PreviewStep]) async throws(PostgresError) -> [PreviewStep.Result] {
        var alone: [Attempt] = []
        for step in steps.dropFirst() {
            try await connection.run(script: begin)
            alone.append(try await attempt(step))
            try await connection.run(script: "rollback")
        }
        var results: [PreviewStep.Result] = []
        try await connection.run(script: begin)
        for (index, step) in steps.enumerated() {
            let inOrder = try await attempt(step)
            results.append(result(of: step, inOrder: inOrder, alone: index == 0 ? inOrder : alone[index - 1]))
        }
        try await connection.run(script: "rollback")
        return results
    }

    private func result(of step: PreviewStep, inOrder: Attempt, alone: Attempt) -> PreviewStep.Result {
        switch (inOrder, alone) {
        case (.documented(let locks), _): PreviewStep.Result(locks: locks, origin: .documented)
        case (.measured(let locks), .measured(let others)):
            PreviewStep.Result(locks: locks.union(others), origin: .measured)
        case (.failed, .measured(let locks)): PreviewStep.Result(locks: locks, origin: .measured)
        case (.measured(let locks), _): PreviewStep.Result(locks: locks, origin: .measuredAfterEarlier)
        case (.failed(let reason), _): PreviewStep.Result(locks: [], origin: .unknown(reason))
        }
    }

    private enum Attempt {
        case measured(Set<TableLock>)
        case documented(Set<TableLock>)
        case failed(String)
    }

    /// Runs a step in the open transaction and keeps its effects. After a failure it has none.
    private func attempt(_ step: PreviewStep) async throws(PostgresError) -> Attempt {
        if let statement = step.statement, !statement.canRunInTransaction {
            return .documented(try await documentedLocks(of: statement))
        }
        let before = try await heldLocks()
        try await connection.run(script: "savepoint step")
        do throws(PostgresError) {
            try await connection.run(script: step.sql)
            return .measured(try await heldLocks().subtracting(before))
        } catch {
            guard case .server = error, !error.isLockConflict else {
                // Ends the transaction before another attempt. A lost connection has none.
                try? await connection.run(script: "rollback")
                throw error
            }
            try await connection.run(script: "rollback to savepoint step")
            return .failed("\(error)")
        }
    }

    private func heldLocks() async throws(PostgresError) -> Set<TableLock> {
        let held = try await connection.query(Self.listLocks, .reads) { row throws(PostgresError) in
            HeldLock(table: try row.next(), mode: try row.next())
        }
        return Set(
            held.compactMap { lock in
                guard let table = tables[lock.table], let mode = LockMode(rawValue: lock.mode) else { return nil }
                return TableLock(table: table, mode: mode)
            })
    }

    /// The locks of a statement that cannot run in a transaction, as PostgreSQL's documentation states them.
    private func documentedLocks(of statement: MigrationStatement) async throws(PostgresError) -> Set<TableLock> {
        switch statement.kind {
        case .createIndexConcurrently(_, let table, _), .reindexTableConcurrently(let table):
            try await locks(.shareUpdateExclusive, Self.findTable, table)
        case .dropIndexConcurrently(let index), .reindexIndexConcurrently(let index):
            try await locks(.shareUpdateExclusive, Self.findTableOfIndex, index)
        case .vacuum(let table?, let isFull):
            try await locks(isFull ? .accessExclusive : .shareUpdateExclusive, Self.findTable, table)
        case .vacuum(nil, let isFull):
            Set(tables.values.map { TableLock(table: $0, mode: isFull ? .accessExclusive : .shareUpdateExclusive) })
        case .transactionControl, .other: []
        }
    }

    private func locks(_ mode: LockMode, _ statement: Statement, _ name: String) async throws(PostgresError)
        -> Set<TableLock>
    {
        let ids = try await connection.query(statement, .reads, name) { try $0.next(Int64.self) }
        return Set(ids.compactMap { tables[$0] }.map { TableLock(table: $0, mode: mode) })
    }

    private struct ListedTable: Sendable {
        let id: Int64
        let name: String
    }

    private struct HeldLock: Sendable {
        let table: Int64
        let mode: String
    }

    private static let listTables = Statement(
        "list_lockable_tables",
        """
        select oid::bigint, oid::regclass::text from pg_class
        where relkind in ('r', 'p', 'm') and relpersistence <> 't'
            and relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema', 'pg_toast')
        """)
    private static let listLocks = Statement(
        "list_own_locks",
        """
        select relation::bigint, mode from pg_locks
        where pid = pg_backend_pid() and locktype = 'relation' and granted
            and database = (select oid from pg_database where datname = current_database())
        """)
    private static let findTable = Statement(
        "find_locked_table", "select oid::bigint from pg_class where oid = to_regclass($1)")
    private static let findTableOfIndex = Statement(
        "find_table_of_index", "select indrelid::bigint from pg_index where indexrelid = to_regclass($1)")
}
