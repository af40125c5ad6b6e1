// The figures of the current business day (sql/015_stock.sql) by the database's clock. An order counts on the day of
// its placement, a pre-order on the day of its wanted time.
import Ordering
import Postgres

extension ShopDatabase {
    package func loadDayFigures() async throws(DatabaseFault) -> DayFigures {
        let days = try await query(Self.todayStatement, .reads) { try $0.nextDay() }
        guard let day = days.first else { throw .undecodable("the shop has no row") }
        let counts = try await query(Self.countsStatement, .reads, day.start, day.end, day.timeZone) {
            row throws(PostgresError) in
            StateCount(
                state: try row.nextRawValue(), hour: Int(try row.next(Int32.self)), currency: try row.nextCurrency(),
                orders: try row.next(), total: try row.next())
        }
        let top = try await query(Self.topItemsStatement, .reads, day.start, day.end) { row throws(PostgresError) in
            ItemFigures(
                id: MenuItemID(rawValue: try row.next()), title: try row.next(), quantity: try row.next(),
                revenue: Revenue(currency: try row.nextCurrency(), amount: try row.next()))
        }
        var orders = Dictionary(uniqueKeysWithValues: OrderState.allCases.map { ($0, 0) })
        var hours = Array(repeating: 0, count: 24)
        var revenues: [Currency: Int64] = [:]
        for count in counts where hours.indices.contains(count.hour) {
            orders[count.state, default: 0] += Int(count.orders)
            hours[count.hour] += Int(count.orders)
            // A total is at most about 1e12, so an overflow takes millions of such orders in a day.
            if count.state.isLive { revenues[count.currency, default: 0] &+= count.total }
        }
        let own = Revenue(currency: day.currency, amount: revenues.removeValue(forKey: day.currency) ?? 0)
        let others = revenues.sorted { $0.key.code < $1.key.code }.map { Revenue(currency: $0.key, amount: $0.value) }
        return DayFigures(
            date: day.date, timeZone: day.timeZone, asOf: Instant(day.now), currency: day.currency, orders: orders,
            revenues: [own] + others, ordersPerHour: hours, topItems: top)
    }

    private static let todayStatement = Statement(
        "today",
        """
        select today.day, time_zone, currency, now(), today.begins, today.ends
        from shop cross join business_day(now()) as today
        """)

    private static let countsStatement = Statement(
        "count_day",
        """
        select state, extract(hour from counted_at at time zone $3)::integer as hour, currency, count(*),
               sum(total)::bigint
        from (select state, currency, total, placed_at as counted_at
              from orders where placed_at >= $1 and placed_at < $2 and wanted_at is null
              union all
              select state, currency, total, wanted_at from orders where wanted_at >= $1 and wanted_at < $2) as day
        group by state, hour, currency
        """)

    // The limit applies after cancelled and rejected orders are removed. Both parts have it too, so PostgreSQL reads an
    // index backward for each and sorts nothing.
    private static let topItemsStatement = Statement(
        "top_items",
        """
        select menu_item_id, max(title), sum(quantity) as quantity, currency,
               sum(unit_price * quantity - line.discount)::bigint
        from (select currency, lines
              from ((select id, placed_at as counted_at, currency, lines from orders
                     where placed_at >= $1 and placed_at < $2 and wanted_at is null
                         and state not in ('cancelled', 'rejected')
                     order by placed_at desc, id desc limit 20000)
                    union all
                    (select id, wanted_at, currency, lines from orders
                     where wanted_at >= $1 and wanted_at < $2 and state not in ('cancelled', 'rejected')
                     order by wanted_at desc, id desc limit 20000)) as day
              order by counted_at desc, id desc limit 20000) as living
        cross join unnest(lines) as line
        group by menu_item_id, currency order by quantity desc, menu_item_id, currency limit 10
        """)
}

private struct StateCount: Sendable {
    let state: OrderState
    let hour: Int
    let currency: Currency
    let orders: Int64
    let total: Int64
}

private struct StoredDay: Sendable {
    let date: LocalDate
    let timeZone: String
    let currency: Currency
    let now: Timestamp
    let start: Timestamp
    let end: Timestamp
}

extension Row {
    fileprivate mutating func nextDay() throws(PostgresError) -> StoredDay {
        let stored = try next(CalendarDate.self)
        guard let date = LocalDate(year: stored.year, month: stored.month, day: stored.day) else {
            throw .undecodable("the database's clock is outside the years 1 to 9999")
        }
        return StoredDay(
            date: date, timeZone: try next(), currency: try nextCurrency(), now: try next(), start: try next(),
            end: try next())
    }
}
