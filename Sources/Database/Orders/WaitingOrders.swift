// Loads the orders that staff have not accepted yet, and accepts or rejects due ones (sql/021_deadlines.sql).
import FoundationEssentials
import Ordering
import Postgres

extension ShopDatabase {
    /// The largest number of waiting orders that one statement reads.
    package static let waitingOrdersPerPage = 1_000

    /// Loads a page of the orders in the state `placed`, in the order of their placement. A page with fewer than
    /// `limit` orders is the last one.
    /// - Parameters:
    ///   - begin: Orders that were placed until then are skipped.
    ///   - last: The last order of the previous page; nil for the first page.
    package func loadWaitingOrders(
        placedAfter begin: Instant, after last: UnacceptedOrder? = nil, limit: Int = waitingOrdersPerPage
    ) async throws(DatabaseFault) -> [UnacceptedOrder] {
        try await query(
            Self.waitingStatement, .reads, (last?.placedAt ?? begin).timestamp, last?.id.uuid ?? Self.highestID,
            Int64(limit)
        ) { row throws(PostgresError) in
            UnacceptedOrder(
                id: OrderID(try row.next(UUID.self)), fulfilment: try row.nextRawValue(),
                placedAt: Instant(try row.next(Timestamp.self)),
                wantedAt: try row.next(Timestamp?.self).map(Instant.init), language: try row.nextLanguage())
        }
    }

    /// Rejects an order after its deadline for this reason, or accepts it if `deadline` is nil. The decision depends on
    /// a menu revision. Returns false if nothing was done.
    package func acceptOrReject(
        _ order: OrderID, menu revision: Int64, deadline: Instant?, reason: String?
    ) async throws(DatabaseFault) -> Bool {
        try await query(adjusted(Self.settleStatement), .writes, order.uuid, revision, deadline?.timestamp, reason) {
            try $0.next(Bool.self)
        } == [true]
    }

    /// The highest id. A position of a time and this id is after all orders of that time.
    static let highestID = UUID(uuid: (255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255))

    // Reads only waiting orders, by the index of sql/025_open_orders.sql.
    private static let waitingStatement = Statement(
        "load_waiting_orders",
        """
        select id, fulfilment, placed_at, wanted_at, language from orders
        where state = 'placed' and (placed_at, id) > ($1, $2) order by placed_at, id limit $3
        """)

    private static let settleStatement = Statement(
        "settle_waiting_order", "select settle_waiting_order($1, $2, $3, $4)")
}
