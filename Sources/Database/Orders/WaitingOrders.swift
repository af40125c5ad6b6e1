// Loads the orders that staff have not accepted yet, and accepts or rejects due ones (sql/021_deadlines.sql).
import FoundationEssentials
import Ordering
import Postgres

/// A set of orders that is searched for waiting ones: orders in the state `placed`.
package struct WaitingRange: Sendable, Hashable {
    /// Known waiting orders of any age.
    package let known: [OrderID]
    package let placedAfter: Instant
    /// Pre-orders are searched from this wanted time on; nil: no pre-orders.
    package let wantedAfter: Instant?
    /// Orders wanted later are skipped; nil: none are skipped.
    package let wantedUntil: Instant?

    package init(known: [OrderID], placedAfter: Instant, wantedAfter: Instant?, wantedUntil: Instant?) {
        (self.known, self.placedAfter) = (known, placedAfter)
        (self.wantedAfter, self.wantedUntil) = (wantedAfter, wantedUntil)
    }
}

/// The waiting orders among those that one statement read.
package struct WaitingPage: Sendable {
    package let orders: [UnacceptedOrder]
    /// The start of the next page; nil after the last page.
    package let next: WaitingPosition?
}

/// A position in a range. The parts of a range are read one after the other, each by its own index.
package enum WaitingPosition: Sendable, Hashable {
    /// The index of a known order.
    case known(Int)
    /// After this time of placement; among orders of the same time, after this id.
    case placed(Instant, OrderID)
    /// The same by wanted time.
    case wanted(Instant, OrderID)
}

extension ShopDatabase {
    /// How many orders a page reads: about 20 ms, however many of them wait.
    package static let waitingOrdersPerRead = 10_000

    /// Loads a page of the waiting orders of a range. All pages together contain every waiting order, some of them
    /// twice.
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
            ) { try $0.nextWaiting() }
            return WaitingPage(
                orders: rows, next: ids.endIndex < range.known.endIndex ? .known(ids.endIndex) : following)
        case .placed(let time, let id):
            let rows = try await query(
                Self.placedStatement, .reads, time.timestamp, id.uuid, range.wantedUntil?.timestamp ?? .infinity,
                Int64(perRead)
            ) { try $0.nextExamined() }
            if let last = rows.last, last.isEndOfPage {
                return page(rows, next: .placed(last.order.placedAt, last.order.id))
            }
            return page(rows, next: range.wantedAfter.map { .wanted($0, Self.highestID) })
        case .wanted(let time, let id):
            let rows = try await query(
                Self.wantedStatement, .reads, time.timestamp, id.uuid, range.wantedUntil?.timestamp ?? .infinity,
                Int64(perRead)
            ) { try $0.nextExamined() }
            if let last = rows.last, last.isEndOfPage, let wantedAt = last.order.wantedAt {
                return page(rows, next: .wanted(wantedAt, last.order.id))
            }
            return page(rows, next: nil)
        }
    }

    private func page(_ rows: [ExaminedOrder], next: WaitingPosition?) -> WaitingPage {
        WaitingPage(orders: rows.compactMap { $0.isWaiting ? $0.order : nil }, next: next)
    }

    /// Rejects an order after its deadline for this reason, or accepts it if `deadline` is nil. The decision depends on
    /// a menu revision. Returns false if nothing was done.
    package func acceptOrReject(
        _ order: OrderID, menu revision: Int64, deadline: Instant?, reason: String?
    ) async throws(DatabaseFault) -> Bool {
        try await query(Self.settleStatement, .writes, order.uuid, revision, deadline?.timestamp, reason) {
            try $0.next(Bool.self)
        } == [true]
    }

    /// The highest id. A position of a time and this id is after all orders of that time.
    private static let highestID = OrderID(
        UUID(uuid: (255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255)))

    private static let knownStatement = Statement(
        "load_waiting_orders",
        """
        select id, fulfilment, placed_at, wanted_at, language from orders
        where id = any ($1) and state = 'placed' and (wanted_at is null or wanted_at <= $2) order by placed_at, id
        """)

    // Returns the waiting orders, and the last order of the page, where the next page starts.
    private static let placedStatement = Statement(
        "load_waiting_placed",
        """
        select id, fulfilment, placed_at, wanted_at, language, is_waiting, n = $4
        from (select page.*, row_number() over (order by placed_at, id) as n
              from (select id, fulfilment, placed_at, wanted_at, language,
                           state = 'placed' and (wanted_at is null or wanted_at <= $3) as is_waiting
                    from orders where (placed_at, id) > ($1, $2) order by placed_at, id limit $4) as page) as examined
        where is_waiting or n = $4 order by placed_at, id
        """)

    private static let wantedStatement = Statement(
        "load_waiting_wanted",
        """
        select id, fulfilment, placed_at, wanted_at, language, is_waiting, n = $4
        from (select page.*, row_number() over (order by wanted_at, id) as n
              from (select id, fulfilment, placed_at, wanted_at, language, state = 'placed' as is_waiting
                    from orders where (wanted_at, id) > ($1, $2) and wanted_at <= $3
                    order by wanted_at, id limit $4) as page) as examined
        where is_waiting or n = $4 order by wanted_at, id
        """)

    private static let settleStatement = Statement(
        "settle_waiting_order", "select settle_waiting_order($1, $2, $3, $4)")
}

private struct ExaminedOrder: Sendable {
    let order: UnacceptedOrder
    let isWaiting: Bool
    let isEndOfPage: Bool
}

extension Row {
    fileprivate mutating func nextWaiting() throws(PostgresError) -> UnacceptedOrder {
        UnacceptedOrder(
            id: OrderID(try next(UUID.self)), fulfilment: try nextRawValue(),
            placedAt: Instant(try next(Timestamp.self)),
            wantedAt: try next(Timestamp?.self).map(Instant.init), language: try nextLanguage())
    }

    fileprivate mutating func nextExamined() throws(PostgresError) -> ExaminedOrder {
        ExaminedOrder(order: try nextWaiting(), isWaiting: try next(), isEndOfPage: try next())
    }
}
