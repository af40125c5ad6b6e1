// Deletes data whose retention has ended, in small batches over a separate connection (sql/010_prune_baskets.sql,
// sql/020_staff.sql).
import FoundationEssentials
import Logging
import Ordering
import Postgres

/// Deletes abandoned baskets, the lines of ordered ones, and the oldest audit rows.
package struct BasketPruning: Sendable {
    private let url: String
    private let olderThan: Duration
    private let logger: Logger

    /// The number of rows that one run deleted or emptied.
    package struct Outcome: Sendable, Equatable {
        /// Deleted baskets, unchanged for longer than `olderThan`.
        package var deletedBaskets: Int
        /// Ordered baskets whose lines were deleted.
        package var emptiedBaskets: Int
        /// Deleted audit rows.
        package var deletedAuditRows: Int

        package init(deletedBaskets: Int = 0, emptiedBaskets: Int = 0, deletedAuditRows: Int = 0) {
            (self.deletedBaskets, self.emptiedBaskets, self.deletedAuditRows) = (
                deletedBaskets, emptiedBaskets, deletedAuditRows
            )
        }
    }

    /// Younger baskets are never deleted, because their guests may still be ordering.
    package static let minimumBasketAge = Duration.seconds(3600)

    /// Prunes baskets that have not changed for `olderThan`, at least an hour.
    package init(url: String, olderThan: Duration, logger: Logger) {
        (self.url, self.olderThan, self.logger) = (url, olderThan, logger)
    }

    /// Prunes audit rows, mail counts and baskets once. Returns nil if another server is pruning.
    ///
    /// Each batch of baskets is a transaction of about ten milliseconds, followed by a pause of the same length. So
    /// pruning uses at most half of one connection. A cancellation keeps the committed batches.
    package func run() async throws(DatabaseFault) -> Outcome? {
        let settings = DatabaseConfiguration.sessionSettings.merging(["application_name": "welms prune"]) { _, own in
            own
        }
        return try await ShopDatabase.onSeparateConnection(
            url, sessionSettings: settings, statementTimeout: .seconds(60), logger: logger, round)
    }

    private func round(_ connection: PostgresConnection) async throws(PostgresError) -> Outcome? {
        // A session lock: PostgreSQL releases it with the connection, even if this process dies.
        let isAcquired = try await connection.query(Self.lock, .reads) { try $0.next(Bool.self) }
        guard isAcquired == [true] else { return nil }
        let now = try await connection.query(Self.now, .reads) { try $0.next(Timestamp.self) }
        guard let now = now.first else { throw .undecodable("the database has no time") }
        let before = Timestamp(microseconds: now.microseconds - olderThan.components.seconds * 1_000_000)
        var outcome = Outcome()
        outcome.deletedAuditRows = try await pruneAudit(connection)
        _ = try await connection.execute(Self.pruneMails, .writes)
        var after = Self.first
        while !Task.isCancelled {
            let begin = ContinuousClock.now
            let batches = try await connection.query(Self.prune, .writes, after, before, Self.batch) {
                row throws(PostgresError) in
                Batch(last: try row.next(), abandoned: try row.next(), emptied: try row.next())
            }
            guard let batch = batches.first, let last = batch.last else { break }
            outcome.deletedBaskets += Int(batch.abandoned)
            outcome.emptiedBaskets += Int(batch.emptied)
            after = last
            guard (try? await Task.sleep(for: .now - begin)) != nil else { break }
        }
        return outcome
    }

    /// Deletes old audit rows: sql/020_staff.sql defines their retention.
    private func pruneAudit(_ connection: PostgresConnection) async throws(PostgresError) -> Int {
        var forgotten = 0
        while !Task.isCancelled {
            let deleted = try await connection.query(Self.pruneAudit, .writes, Self.auditBatch) {
                row throws(PostgresError) in Int(try row.next(Int32.self))
            }
            forgotten += deleted.first ?? 0
            if deleted.first ?? 0 < Int(Self.auditBatch) { break }
        }
        return forgotten
    }

    private struct Batch: Sendable {
        let last: UUID?
        let abandoned: Int32
        let emptied: Int32
    }

    private static let first = UUID.zero
    private static let batch: Int32 = 500
    private static let auditBatch: Int32 = 5_000
    /// "prune" in ASCII: one lock per database.
    private static let lock = Statement("lock_pruning", "select pg_try_advisory_lock(\(0x70_7275_6E65))")
    private static let now = Statement("prune_now", "select now()")
    private static let prune = Statement(
        "prune_baskets", "select last, abandoned, emptied from prune_baskets($1, $2, $3)")
    private static let pruneAudit = Statement("prune_audit", "select prune_audit($1)")
    /// The server that sends mail deletes them, too, but only while it has something to send.
    private static let pruneMails = Statement(
        "prune_recent_mails", "delete from recent_mails where at <= now() - interval '1 hour'")
}
