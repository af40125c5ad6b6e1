// Removes what nobody needs any more, a little at a time, over a connection of its own. Called by `welms prune` and by Shop's PruningTimer.
// Read next: sql/010_prune_baskets.sql and sql/020_staff.sql, which do it.
import FoundationEssentials
import Logging
import Ordering
import Postgres

/// Removes abandoned baskets, the lines of ordered ones, which their orders keep, and the oldest of the audit.
package struct BasketPruning: Sendable {
    private let url: String
    private let olderThan: Duration
    private let logger: Logger

    /// What a round removed.
    package struct Outcome: Sendable, Equatable {
        /// Baskets that nobody had changed for so long: they are gone.
        package var abandoned: Int
        /// Ordered baskets whose lines are gone.
        package var emptied: Int
        /// Rows of the audit that were old enough to go.
        package var forgotten: Int

        package init(abandoned: Int = 0, emptied: Int = 0, forgotten: Int = 0) {
            (self.abandoned, self.emptied, self.forgotten) = (abandoned, emptied, forgotten)
        }
    }

    /// Baskets younger than this are never touched: a guest may be at lunch.
    package static let shortestAge = Duration.seconds(3600)

    /// Rounds that remove what nobody has changed for `olderThan`, an hour at least.
    package init(url: String, olderThan: Duration, logger: Logger) {
        (self.url, self.olderThan, self.logger) = (url, olderThan, logger)
    }

    /// One round over all baskets; nil where another server is at it.
    ///
    /// Each batch is a transaction of its own, of some ten milliseconds, and then as long is waited: at most half of one connection's time
    /// is taken from the shop. Stopped in the middle, what was done stays done.
    package func run() async throws(DatabaseFault) -> Outcome? {
        let settings = DatabaseConfiguration.sessionSettings.merging(["application_name": "welms prune"]) { _, own in own }
        do {
            return try await PostgresConnection.with(
                url, sessionSettings: settings, statementTimeout: .seconds(60), logger: logger, orThrow: { $0 }, round)
        } catch {
            throw DatabaseFault(error)
        }
    }

    private func round(_ connection: PostgresConnection) async throws(PostgresError) -> Outcome? {
        // Held by the session: it is gone with the connection, whatever happens to this process.
        let isOurs = try await connection.query(Self.lock, .reads) { row throws(PostgresError) in try row.next(Bool.self) }
        guard isOurs == [true] else { return nil }
        let now = try await connection.query(Self.now, .reads) { row throws(PostgresError) in try row.next(Timestamp.self) }
        guard let now = now.first else { throw .undecodable("the database has no time") }
        let before = Timestamp(microseconds: now.microseconds - olderThan.components.seconds * 1_000_000)
        var outcome = Outcome()
        outcome.forgotten = try await forgetAudit(connection)
        _ = try await connection.execute(Self.pruneMails, .writes)
        var after = Self.first
        while !Task.isCancelled {
            let begin = ContinuousClock.now
            let batches = try await connection.query(Self.prune, .writes, after, before, Self.batch) { row throws(PostgresError) in
                Batch(last: try row.next(), abandoned: try row.next(), emptied: try row.next())
            }
            guard let batch = batches.first, let last = batch.last else { break }
            outcome.abandoned += Int(batch.abandoned)
            outcome.emptied += Int(batch.emptied)
            after = last
            guard (try? await Task.sleep(for: .now - begin)) != nil else { break }
        }
        return outcome
    }

    /// What staff changed years ago: sql/020_staff.sql says how many.
    private func forgetAudit(_ connection: PostgresConnection) async throws(PostgresError) -> Int {
        var forgotten = 0
        while !Task.isCancelled {
            let gone = try await connection.query(Self.pruneAudit, .writes, Self.auditBatch) { row throws(PostgresError) in
                Int(try row.next(Int32.self))
            }
            forgotten += gone.first ?? 0
            if gone.first ?? 0 < Int(Self.auditBatch) { break }
        }
        return forgotten
    }

    private struct Batch: Sendable {
        let last: UUID?
        let abandoned: Int32
        let emptied: Int32
    }

    private static let first = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    private static let batch: Int32 = 500
    private static let auditBatch: Int32 = 5_000
    /// "prune" in ASCII: one lock for the pruning of one database.
    private static let lock = Statement("lock_pruning", "select pg_try_advisory_lock(\(0x70_7275_6E65))")
    private static let now = Statement("prune_now", "select now()")
    private static let prune = Statement("prune_baskets", "select last, abandoned, emptied from prune_baskets($1, $2, $3)")
    private static let pruneAudit = Statement("prune_audit", "select prune_audit($1)")
    /// The server that mails deletes them too, but only while it has something to send.
    private static let pruneMails = Statement(
        "prune_recent_mails", "delete from recent_mails where at <= now() - interval '1 hour'")
}
