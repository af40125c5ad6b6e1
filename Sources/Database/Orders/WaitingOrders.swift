// The orders that nobody has accepted yet, and what becomes of them when the time is over. Called by Shop's AcceptanceWatch.
// Read next: sql/021_deadlines.sql.
import FoundationEssentials
import Ordering
import Postgres

/// Among which orders those are looked for that wait.
package struct WaitingRange: Sendable, Hashable {
    /// Those that are known, whenever they are from.
    package let known: [OrderID]
    package let placedAfter: Instant
    /// Nil: none.
    package let wantedAfter: Instant?
    /// What is wanted later than this is left out; nil: nothing is.
    package let wantedUntil: Instant?

    package init(known: [OrderID], placedAfter: Instant, wantedAfter: Instant?, wantedUntil: Instant?) {
        (self.known, self.placedAfter) = (known, placedAfter)
        (self.wantedAfter, self.wantedUntil) = (wantedAfter, wantedUntil)
    }
}

extension ShopDatabase {
    /// The waiting ones among these, the oldest first.
    package func loadWaitingOrders(_ range: WaitingRange, limit: Int) async throws(DatabaseFault) -> [WaitingOrder] {
        try await query(
            Self.waitingStatement, .reads, range.known.map(\.uuid), range.placedAfter.timestamp,
            range.wantedAfter?.timestamp ?? .infinity, range.wantedUntil?.timestamp ?? .infinity, Int64(limit)
        ) { row throws(PostgresError) in
            WaitingOrder(
                id: OrderID(try row.next(UUID.self)), fulfilment: try row.nextWord(), placedAt: Instant(try row.next(Timestamp.self)),
                wantedAt: try row.next(Timestamp?.self).map(Instant.init), language: try row.nextLanguage())
        }
    }

    /// Rejects an order whose deadline is over, for this reason, or without one accepts it, as it was decided by a menu. False where it was not done.
    package func settle(
        _ order: OrderID, menu revision: Int64, deadline: Instant?, reason: String?
    ) async throws(DatabaseFault) -> Bool {
        try await query(Self.settleStatement, .writes, order.uuid, revision, deadline?.timestamp, reason) { row throws(PostgresError) in
            try row.next(Bool.self)
        } == [true]
    }

    // Each part by an index of its own.
    private static let waitingStatement = Statement(
        "load_waiting_orders",
        """
        select id, fulfilment, placed_at, wanted_at, language from (
            select id, fulfilment, placed_at, wanted_at, language, state from orders where id = any ($1)
            union
            select id, fulfilment, placed_at, wanted_at, language, state from orders where placed_at > $2 and state = 'placed'
            union
            select id, fulfilment, placed_at, wanted_at, language, state from orders where wanted_at > $3 and wanted_at <= $4 and state = 'placed'
        ) as found
        where state = 'placed' and (wanted_at is null or wanted_at <= $4) order by placed_at, id limit $5
        """)

    private static let settleStatement = Statement("settle_waiting_order", "select settle_waiting_order($1, $2, $3, $4)")
}
