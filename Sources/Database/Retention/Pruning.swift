// Deletes data whose retention has ended, in small batches over a separate connection. sql/023_retention.sql defines
// how long each kind is kept, and which rows a batch reads; sql/030_personal_data.sql does it for personal data, and
// sql/033_personal_data_faults.sql has its newest version.
import FoundationEssentials
import Logging
import Ordering
import Postgres

/// Deletes expired rows of each kind of data.
package struct Pruning: Sendable {
    private let url: String
    private let basketAge: Duration
    private let logger: Logger

    /// A kind of data that expires, in the order of a round. The raw value is the table.
    package enum Kind: String, CaseIterable, Sendable {
        case audit
        case recentMails = "recent_mails"
        case orderMails = "order_mails"
        case slotUses = "slot_uses"
        case couponUses = "coupon_uses"
        case stockDays = "stock_days"
        /// Deletes abandoned baskets, and the lines of ordered ones. Almost the last kind, because the first round
        /// examines all baskets.
        case baskets
        /// Replaces the personal data of finished orders, if the shop has switched it on. No order is deleted. The last
        /// kind, because the first round may have to write millions of orders.
        case orders
    }

    /// The result of one round.
    package struct Outcome: Sendable, Equatable {
        /// The number of deleted rows; a kind without deleted rows is missing.
        package var deletedRows: [Kind: Int]
        /// Ordered baskets whose lines were deleted.
        package var emptiedBaskets: Int
        /// Orders whose personal data was replaced. Orders whose update PostgreSQL rejected are only logged.
        package var replacedOrders: Int
        /// The reasons of the kinds that failed. Their earlier batches are committed and counted.
        package var failures: [Kind: DatabaseFault]

        package init(
            deletedRows: [Kind: Int] = [:], emptiedBaskets: Int = 0, replacedOrders: Int = 0,
            failures: [Kind: DatabaseFault] = [:]
        ) {
            (self.deletedRows, self.emptiedBaskets) = (deletedRows, emptiedBaskets)
            (self.replacedOrders, self.failures) = (replacedOrders, failures)
        }

        fileprivate mutating func count(_ rows: Int, _ kind: Kind) {
            if rows > 0 { deletedRows[kind, default: 0] += rows }
        }
    }

    /// Younger baskets are never deleted, because their guests may still be ordering.
    package static let minimumBasketAge = Duration.seconds(3600)

    /// Prunes baskets that have not changed for `basketAge`, at least an hour, and the other kinds by their retention.
    package init(url: String, basketAge: Duration, logger: Logger) {
        (self.url, self.basketAge, self.logger) = (url, basketAge, logger)
    }

    /// Prunes each kind once. Returns nil if another server is pruning. A kind that fails does not stop the others.
    ///
    /// Each batch is a transaction of less than a tenth of a second, followed by a pause of the same length. So pruning
    /// uses at most half of one connection, and no statement comes near its time-out. A cancellation keeps the
    /// committed batches.
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
        let before = Timestamp(microseconds: now.microseconds - basketAge.components.seconds * 1_000_000)
        var outcome = Outcome()
        for kind in Kind.allCases {
            do throws(PostgresError) {
                switch kind {
                case .baskets: try await pruneBaskets(connection, before, &outcome)
                case .orders: try await replacePersonalData(connection, &outcome)
                default: try await prune(kind, connection, &outcome)
                }
            } catch {
                outcome.failures[kind] = DatabaseFault(error)
            }
        }
        return outcome
    }

    /// Deletes batches of expired rows until none is left.
    private func prune(_ kind: Kind, _ connection: PostgresConnection, _ outcome: inout Outcome)
        async throws(PostgresError)
    {
        let statement = Statement("prune_\(kind.rawValue)", "select prune_\(kind.rawValue)($1)")
        while !Task.isCancelled {
            let begin = ContinuousClock.now
            let counts = try await connection.query(statement, .writes, Self.rowBatch) { row throws(PostgresError) in
                Int(try row.next(Int32.self))
            }
            guard let count = counts.first, count > 0 else { break }
            outcome.count(count, kind)
            guard (try? await Task.sleep(for: .now - begin)) != nil else { break }
        }
    }

    /// Prunes batches of baskets until all that are old enough were examined.
    private func pruneBaskets(_ connection: PostgresConnection, _ before: Timestamp, _ outcome: inout Outcome)
        async throws(PostgresError)
    {
        var after = UUID.zero
        while !Task.isCancelled {
            let begin = ContinuousClock.now
            let batches = try await connection.query(Self.pruneBaskets, .writes, after, before, Self.basketBatch) {
                row throws(PostgresError) in
                BasketBatch(last: try row.next(), abandoned: try row.next(), emptied: try row.next())
            }
            guard let batch = batches.first, let last = batch.last else { break }
            outcome.count(Int(batch.abandoned), .baskets)
            outcome.emptiedBaskets += Int(batch.emptied)
            after = last
            guard (try? await Task.sleep(for: .now - begin)) != nil else { break }
        }
    }

    /// Replaces the personal data of batches of orders until no more orders have to be examined.
    private func replacePersonalData(_ connection: PostgresConnection, _ outcome: inout Outcome)
        async throws(PostgresError)
    {
        while !Task.isCancelled {
            let begin = ContinuousClock.now
            let batches = try await connection.query(Self.pruneOrders, .writes, Self.orderBatch) {
                row throws(PostgresError) in
                OrderBatch(examined: try row.next(), replaced: try row.next())
            }
            guard let batch = batches.first, batch.examined > 0 else { break }
            outcome.replacedOrders += Int(batch.replaced)
            guard (try? await Task.sleep(for: .now - begin)) != nil else { break }
        }
    }

    private struct OrderBatch: Sendable {
        let examined: Int32
        let replaced: Int32
    }

    private struct BasketBatch: Sendable {
        let last: UUID?
        let abandoned: Int32
        let emptied: Int32
    }

    /// The number of baskets that one statement examines at most. Guests may wait for them.
    private static let basketBatch: Int32 = 500
    /// The number of rows that one statement deletes at most. No guest waits for them. Small batches are slow if very
    /// many rows have expired: until a vacuum, each batch passes the index entries of all that were deleted before.
    private static let rowBatch: Int32 = 5_000
    /// The number of orders that one statement examines at most. Each replaced order writes to every index of orders.
    private static let orderBatch: Int32 = 200
    /// "prune" in ASCII: one lock per database.
    private static let lock = Statement("lock_pruning", "select pg_try_advisory_lock(\(0x70_7275_6E65))")
    private static let now = Statement("prune_now", "select now()")
    private static let pruneBaskets = Statement(
        "prune_basket_batch", "select last, abandoned, emptied from prune_basket_batch($1, $2, $3)")
    private static let pruneOrders = Statement(
        "prune_personal_data", "select examined, replaced from prune_personal_data($1)")
}
