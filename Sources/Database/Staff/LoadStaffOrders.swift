// Pages through the orders for staff, newest first: through the open ones by the index of sql/025_open_orders.sql, and
// through the others by that of sql/008_staff.sql. Searches them by number, phone and name.
import FoundationEssentials
import Ordering
import Postgres

extension ShopDatabase {
    /// How many orders one page reads at most, about 20 ms, so that a rare state costs no more than a frequent one.
    package static let ordersPerRead = 10_000

    /// How many orders a page of a search by name examines. A search by five or more digits examines so many of the
    /// newest orders, and as many open orders of each state.
    package static let ordersPerSearch = 1_000

    /// A page of the orders in these states, newest first, and the position of the next page; nil at the end. A page of
    /// a list with a final state, or of a search by name, may be short or empty before the end: it examines at most
    /// 10,000 or 1,000 orders.
    package func loadOrders(
        in states: [OrderState], matching search: OrderSearch? = nil, limit: Int, after position: OrderPosition?
    ) async throws(DatabaseFault) -> (orders: [Order], next: OrderPosition?) {
        let time = position?.placedAt.timestamp ?? .infinity
        let id = position?.id.uuid ?? Self.highestID
        let names = states.map(\.rawValue)
        var positions: [OrderPosition]
        var isComplete = true
        // The last order that a search by name has examined; nil if none is older.
        var lastExamined: OrderPosition?
        if let search, search.usesIndexes {
            positions = try await query(
                Self.searchByNumberStatement, .reads, time, id, names, Int64(limit) + 1, Int64(Self.ordersPerSearch),
                search.name, search.digits, search.phonePrefixes, decode: Self.position)
        } else if let search {
            let statement = states.allSatisfy(\.isOpen) ? Self.searchOpenByNameStatement : Self.searchByNameStatement
            let examined = try await query(
                statement, .reads, time, id, names, Int64(limit) + 1, Int64(Self.ordersPerSearch), search.name,
                search.digits, search.phonePrefixes, decode: Self.examinedOrder)
            positions = examined.filter(\.isFound).map(\.position)
            lastExamined = examined.first { !$0.isFound }?.position
        } else if states.allSatisfy(\.isOpen) {
            positions = try await query(
                Self.listOpenStatement, .reads, time, id, names, Int64(limit) + 1, decode: Self.position)
        } else {
            positions = try await query(
                Self.listStatement, .reads, time, id, names, Int64(limit) + 1, Int64(Self.ordersPerRead),
                decode: Self.position)
            isComplete = false
        }
        var next = lastExamined
        if positions.count > limit {
            positions = Array(positions.prefix(limit))
            next = positions.last
        } else if !isComplete {
            next = try await query(
                Self.endOfPageStatement, .reads, time, id, Int64(Self.ordersPerRead) - 1, decode: Self.position
            ).first
        }
        let orders = Dictionary(try await loadOrders(positions.map(\.id)).map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        return (positions.compactMap { orders[$0.id] }, next)
    }

    /// The newest orders that were placed after `moment` minus `lateness`, newest first. Nil: the newest of all orders.
    package func loadNewestOrders(after moment: Instant?, lateness: Duration, limit: Int) async throws(DatabaseFault)
        -> [OrderPosition]
    {
        try await query(
            Self.newestStatement, .reads, moment?.timestamp ?? .negativeInfinity, lateness.components.seconds,
            Int64(limit), decode: Self.position)
    }

    /// The order with this number; nil if it does not exist.
    package func loadOrder(number: String) async throws(DatabaseFault) -> Order? {
        guard let id = try await loadOrderID(number: number) else { return nil }
        return try await loadOrder(id)
    }

    func loadOrderID(number: String) async throws(DatabaseFault) -> OrderID? {
        try await query(Self.findStatement, .reads, number) { row throws(PostgresError) in
            OrderID(try row.next(UUID.self))
        }.first
    }

    private static let position: @Sendable (inout Row) throws(PostgresError) -> OrderPosition = {
        row throws(PostgresError) in
        OrderPosition(placedAt: Instant(try row.next(Timestamp.self)), id: OrderID(try row.next(UUID.self)))
    }

    private static let examinedOrder: @Sendable (inout Row) throws(PostgresError) -> ExaminedOrder = {
        row throws(PostgresError) in
        ExaminedOrder(position: try Self.position(&row), isFound: try row.next(Bool.self))
    }

    private static let listStatement = Statement(
        "list_orders",
        """
        select placed_at, id from (
            select placed_at, id, state from orders where (placed_at, id) < ($1, $2) order by placed_at desc, id desc
                limit $5
        ) as newest
        where state = any ($3) order by placed_at desc, id desc limit $4
        """)

    // Reads at most as many orders of each state as the page has.
    private static let listOpenStatement = Statement(
        "list_open_orders",
        """
        select placed_at, id from (
            \(openRows)
        ) as open_orders order by placed_at desc, id desc limit $4
        """)

    private static let openRows = OpenOrders.union { state in
        """
        select placed_at, id from orders where state = \(state) and \(state) = any ($3) and (placed_at, id) < ($1, $2)
        order by placed_at desc, id desc limit $4
        """
    }

    // Five digits begin at most 1,000 order numbers, so they find an order of any age. So does a whole phone number,
    // which is one of the prefixes. The limit bounds the orders of one guest.
    private static let searchByNumberStatement = Statement(
        "search_orders_by_number",
        """
        select placed_at, id from (
            select placed_at, id, state from orders where number >= $7 and number < $7 || ':'
            union
            (select placed_at, id, state from orders where phone = any ($8) limit $5)
            union
            select placed_at, id, state from (
                (select placed_at, id, state, number, name, phone from orders
                 order by placed_at desc, id desc limit $5)
                union all
                \(newestOpenRows)
            ) as newest
            where \(matches)
        ) as found
        where state = any ($3) and (placed_at, id) < ($1, $2) order by placed_at desc, id desc limit $4
        """)

    // An order without a name has no personal data: its hashed phone is not searched (sql/030_personal_data.sql).
    private static let matches = """
        (starts_with(number, $7) or name is not null
            and (position($6 in lower(name)) > 0 or position($7 in phone) > 0 or phone ^@ any ($8)))
        """

    private static let newestOpenRows = OpenOrders.union { state in
        """
        select placed_at, id, state, number, name, phone from orders where state = \(state)
        order by placed_at desc, id desc limit $5
        """
    }

    private static let searchByNameStatement = Statement(
        "search_orders_by_name",
        """
        with examined as materialized (
            select placed_at, id, state, number, name, phone from orders where (placed_at, id) < ($1, $2)
            order by placed_at desc, id desc limit $5
        )
        \(foundAndLastRows)
        """)

    private static let searchOpenByNameStatement = Statement(
        "search_open_orders_by_name",
        """
        with examined as materialized (
            select placed_at, id, state, number, name, phone from (
                \(nextOpenRows)
            ) as open_orders order by placed_at desc, id desc limit $5
        )
        \(foundAndLastRows)
        """)

    private static let nextOpenRows = OpenOrders.union { state in
        """
        select placed_at, id, state, number, name, phone from orders
        where state = \(state) and \(state) = any ($3) and (placed_at, id) < ($1, $2)
        order by placed_at desc, id desc limit $5
        """
    }

    // The found orders, and the last of the examined ones if the limit was reached.
    private static let foundAndLastRows = """
        (select placed_at, id, true as is_found from examined where state = any ($3) and \(matches)
         order by placed_at desc, id desc limit $4)
        union all
        (select placed_at, id, false from examined order by placed_at desc, id desc offset $5 - 1 limit 1)
        order by is_found desc, placed_at desc, id desc
        """

    private static let endOfPageStatement = Statement(
        "end_of_look",
        """
        select placed_at, id from orders where (placed_at, id) < ($1, $2)
        order by placed_at desc, id desc offset $3 limit 1
        """)

    private static let newestStatement = Statement(
        "newest_orders",
        """
        select placed_at, id from orders where placed_at > least($1, now()) - $2::bigint * interval '1 second'
        order by placed_at desc, id desc limit $3
        """)

    private static let findStatement = Statement("find_order", "select id from orders where number = $1")
}

/// A row of a search by name: a found order, or the last order that the search has examined.
private struct ExaminedOrder: Sendable {
    let position: OrderPosition
    let isFound: Bool
}
