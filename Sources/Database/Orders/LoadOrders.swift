// Reads orders back, and lets a guest cancel one. Called by Web for order reads and cancellations, by CheckoutQueue for replays.
// The table is in sql/004_orders.sql, its steps in sql/007_order_steps.sql.
import FoundationEssentials
import Ordering
import Postgres

extension ShopDatabase {
    /// The order as it is now; nil where there is none.
    package func loadOrder(_ id: OrderID) async throws(PostgresError) -> Order? {
        try await loadOrders([id]).first
    }

    func loadOrders(_ ids: [OrderID]) async throws(PostgresError) -> [Order] {
        // On Citus nobody's orders would be asked of all shards.
        guard !ids.isEmpty else { return [] }
        return try await pool.query(Self.loadOrdersStatement, .reads, ids.map(\.uuid)) { row throws(PostgresError) in try row.nextOrder() }
    }

    /// Cancels an order that is still `placed` and gives its coupon back; answers the state that it has now, nil where there is none.
    /// A second call finds it cancelled and changes nothing.
    package func cancelOrder(_ id: OrderID) async throws(PostgresError) -> OrderState? {
        let states = try await pool.query(Self.cancelOrderStatement, .writes, id.uuid) { row throws(PostgresError) in
            try row.next(String?.self)
        }
        guard let text = states.first ?? nil else { return nil }
        guard let state = OrderState(rawValue: text) else { throw .undecodable("no order state is called \(text)") }
        return state
    }

    private static let cancelOrderStatement = Statement("cancel_order", "select cancel_order($1)")

    // Most orders were not rejected, and then no step is looked for. That both tables are told which orders they are asked for is for Citus,
    // which otherwise asks all shards.
    private static let loadOrdersStatement = Statement(
        "load_orders",
        """
        select id, number, state, line_items, line_kinds, line_titles, line_quantities, line_regular_prices, line_prices, line_discounts,
               line_sales, line_sale_titles, coupon_key, total_kinds, total_codes, total_titles, total_amounts, total_are_included, total_rates, currency, eta_minutes::integer, placed_at,
               name, phone, email, address, comment,
               case when state = 'rejected' then (
                   select reason from order_steps where order_id = any ($1) and order_id = orders.id and order_steps.state = 'rejected') end
        from orders where id = any ($1)
        """)
}

extension Row {
    fileprivate mutating func nextOrder() throws(PostgresError) -> Order {
        let id = OrderID(try next(UUID.self))
        let number = try next(String.self)
        let state = try nextWord(OrderState.self)
        let (lines, sets) = try nextLines()
        return Order(
            id: id, number: number, state: state, lines: lines, sets: sets, couponKey: try next(), totals: try nextTotals(),
            currency: try nextCurrency(), etaMinutes: Int(try next(Int32.self)),
            placedAt: Instant(try next(Timestamp.self)),
            customer: Customer(name: try next(), phone: try next(), email: try next(), address: try next(), comment: try next()),
            rejectionReason: try next())
    }
}
