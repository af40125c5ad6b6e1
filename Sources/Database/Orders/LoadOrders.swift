// Loads orders, and cancels one for its guest.
import FoundationEssentials
import Ordering
import Postgres

extension ShopDatabase {
    /// Loads the order; nil if it does not exist.
    package func loadOrder(_ id: OrderID) async throws(DatabaseFault) -> Order? { try await loadOrders([id]).first }

    /// Loads the orders that exist, in any order.
    package func loadOrders(_ ids: [OrderID]) async throws(DatabaseFault) -> [Order] {
        // Without ids, Citus would ask all shards.
        guard !ids.isEmpty else { return [] }
        return try await query(Self.loadOrdersStatement, .reads, ids.map(\.uuid)) { try $0.nextOrder() }
    }

    /// Cancels an order that is still `placed`: its coupon use, slot and stock become available again. Returns the
    /// current state; nil if the order does not exist. A repeated call changes nothing.
    package func cancelOrder(_ id: OrderID) async throws(DatabaseFault) -> OrderState? {
        let statement = adjusted(Self.cancelOrderStatement)
        let states = try await query(statement, .writes, id.uuid) { try $0.next(String?.self) }
        guard let text = states.first ?? nil else { return nil }
        guard let state = OrderState(rawValue: text) else { throw .undecodable("no order state is called \(text)") }
        return state
    }

    private static let cancelOrderStatement = Statement("cancel_order", "select cancel_order($1)")

    // Steps are read only for rejected orders. Both tables have a condition on the ids, because Citus would otherwise
    // ask all shards.
    private static let loadOrdersStatement = Statement(
        "load_orders",
        """
        select id, number, state, language, lines, options, coupon_key,
               subtotal, total, totals, subtotal_title, total_title,
               currency, fulfilment, wanted_at, eta_minutes::integer, placed_at,
               name, phone, email, address, comment, postcode,
               case when state = 'rejected' then (
                   select reason from order_steps
                       where order_id = any ($1) and order_id = orders.id and order_steps.state = 'rejected') end,
               case when state = 'rejected' then (
                   select case when is_by_deadline then 'deadline' else 'staff' end from order_steps
                   where order_id = any ($1) and order_id = orders.id and order_steps.state = 'rejected') end,
               minimum_age::integer, promised_at, delay_reason, day_number, day_number_wanted_at is not null
        from orders where id = any ($1)
        """)
}

extension Row {
    private mutating func nextRejectionSource() throws(PostgresError) -> RejectionSource? {
        try next(String?.self).flatMap { RejectionSource(rawValue: $0) }
    }

    /// Reads the language of an order.
    mutating func nextLanguage() throws(PostgresError) -> LanguageTag {
        try next(String?.self).flatMap { LanguageTag($0) } ?? .english
    }

    /// Reads the recipient of an order; nil without a name: the personal data has been replaced.
    private mutating func nextCustomer() throws(PostgresError) -> Customer? {
        let name = try next(String?.self)
        let phone = try next(String.self)
        let email = try next(String.self)
        let address = try next(String?.self)
        let comment = try next(String?.self)
        guard let name else { return nil }
        return Customer(name: name, phone: phone, email: email, address: address, comment: comment)
    }

    fileprivate mutating func nextOrder() throws(PostgresError) -> Order {
        let id = OrderID(try next(UUID.self))
        let number = try next(String.self)
        let state = try nextRawValue(OrderState.self)
        let language = try nextLanguage()
        let (lines, sets) = try nextOrderLines()
        return Order(
            id: id, number: number, state: state, lines: lines, sets: sets, couponKey: try next(),
            totals: try nextTotals(in: language), currency: try nextCurrency(), fulfilment: try nextRawValue(),
            wantedAt: try next(Timestamp?.self).map(Instant.init), etaMinutes: try next(Int32?.self).map(Int.init),
            placedAt: Instant(try next(Timestamp.self)),
            customer: try nextCustomer(), postcode: try next(),
            rejectionReason: try next(), rejectedBy: try nextRejectionSource(),
            minimumAge: try next(Int32?.self).map(Int.init), language: language,
            updates: OrderUpdates(
                readyAt: try next(Timestamp?.self).map(Instant.init), delayReason: try next(),
                dayNumber: try next(Int32?.self).map(Int.init), isNumberAssignedLater: try next()))
    }
}
