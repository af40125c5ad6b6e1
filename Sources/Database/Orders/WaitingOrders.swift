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

/// The waiting ones among the orders that one statement looked through.
package struct WaitingPage: Sendable {
    package let orders: [WaitingOrder]
    /// Where the next page begins; nil after the last one.
    package let next: WaitingPosition?
}

/// A place in a range: its parts are read one after the other, each by an index of its own.
package enum WaitingPosition: Sendable, Hashable {
    /// The known order of this index.
    case known(Int)
    /// After this time of placement, and of one time after this id.
    case placed(Instant, OrderID)
    /// The same by the time for which an order is wanted.
    case wanted(Instant, OrderID)
}

extension ShopDatabase {
    /// How many orders a page looks through: some 20 ms, however many of them wait.
    package static let waitingOrdersPerRead = 10_000

    /// The waiting orders of a range, page by page, so that no order is hidden by those that wait before it. An order
    /// may be on two pages.
    package func loadWaitingOrders(
        _ range: WaitingRange, from position: WaitingPosition = .known(0), perRead: Int = waitingOrdersPerRead
    ) async throws(DatabaseFault) -> WaitingPage {
        switch position {
        case .known(let first):
            let ids = range.known.dropFirst(first).prefix(perRead)
            let following = WaitingPosition.placed(range.placedAfter, Self.highestID)
            if ids.isEmpty { return try await loadWaitingOrders(range, from: following, perRead: perRead) }
            let rows = try await query(
                Self.knownStatement, .reads, ids.map(\.uuid), range.wantedUntil?.timestamp ?? .infinity
            ) {
                row throws(PostgresError) in try row.nextWaiting()
            }
            return WaitingPage(
                orders: rows, next: ids.endIndex < range.known.endIndex ? .known(ids.endIndex) : following)
        case .placed(let time, let id):
            let rows = try await query(
                Self.placedStatement, .reads, time.timestamp, id.uuid, range.wantedUntil?.timestamp ?? .infinity,
                Int64(perRead)
            ) { row throws(PostgresError) in try row.nextLooked() }
            if let last = rows.last, last.isEndOfPage {
                return page(rows, next: .placed(last.order.placedAt, last.order.id))
            }
            return page(rows, next: range.wantedAfter.map { .wanted($0, Self.highestID) })
        case .wanted(let time, let id):
            let rows = try await query(
                Self.wantedStatement, .reads, time.timestamp, id.uuid, range.wantedUntil?.timestamp ?? .infinity,
                Int64(perRead)
            ) { row throws(PostgresError) in try row.nextLooked() }
            if let last = rows.last, last.isEndOfPage, let wantedAt = last.order.wantedAt {
                return page(rows, next: .wanted(wantedAt, last.order.id))
            }
            return page(rows, next: nil)
        }
    }

    private func page(_ rows: [LookedOrder], next: WaitingPosition?) -> WaitingPage {
        WaitingPage(orders: rows.compactMap { $0.isWaiting ? $0.order : nil }, next: next)
    }

    /// Rejects an order whose deadline is over, for this reason, or without one accepts it, as it was decided by a menu. False where it was not done.
    package func settle(
        _ order: OrderID, menu revision: Int64, deadline: Instant?, reason: String?
    ) async throws(DatabaseFault) -> Bool {
        try await query(Self.settleStatement, .writes, order.uuid, revision, deadline?.timestamp, reason) {
            row throws(PostgresError) in
            try row.next(Bool.self)
        } == [true]
    }

    /// With a time: after all orders of that time.
    private static let highestID = OrderID(
        UUID(uuid: (255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255)))

    private static let knownStatement = Statement(
        "load_waiting_orders",
        """
        select id, fulfilment, placed_at, wanted_at, language from orders
        where id = any ($1) and state = 'placed' and (wanted_at is null or wanted_at <= $2) order by placed_at, id
        """)

    // Of the orders that a page looks through those are returned that wait, and the last one, from which the next page
    // goes on.
    private static let placedStatement = Statement(
        "load_waiting_placed",
        """
        select id, fulfilment, placed_at, wanted_at, language, waits, n = $4
        from (select page.*, row_number() over (order by placed_at, id) as n
              from (select id, fulfilment, placed_at, wanted_at, language,
                           state = 'placed' and (wanted_at is null or wanted_at <= $3) as waits
                    from orders where (placed_at, id) > ($1, $2) order by placed_at, id limit $4) as page) as looked
        where waits or n = $4 order by placed_at, id
        """)

    private static let wantedStatement = Statement(
        "load_waiting_wanted",
        """
        select id, fulfilment, placed_at, wanted_at, language, waits, n = $4
        from (select page.*, row_number() over (order by wanted_at, id) as n
              from (select id, fulfilment, placed_at, wanted_at, language, state = 'placed' as waits
                    from orders where (wanted_at, id) > ($1, $2) and wanted_at <= $3
                    order by wanted_at, id limit $4) as page) as looked
        where waits or n = $4 order by wanted_at, id
        """)

    private static let settleStatement = Statement(
        "settle_waiting_order", "select settle_waiting_order($1, $2, $3, $4)")
}

private struct LookedOrder: Sendable {
    let order: WaitingOrder
    let isWaiting: Bool
    let isEndOfPage: Bool
}

extension Row {
    fileprivate mutating func nextWaiting() throws(PostgresError) -> WaitingOrder {
        WaitingOrder(
            id: OrderID(try next(UUID.self)), fulfilment: try nextWord(), placedAt: Instant(try next(Timestamp.self)),
            wantedAt: try next(Timestamp?.self).map(Instant.init), language: try nextLanguage())
    }

    fileprivate mutating func nextLooked() throws(PostgresError) -> LookedOrder {
        LookedOrder(order: try nextWaiting(), isWaiting: try next(), isEndOfPage: try next())
    }
}
