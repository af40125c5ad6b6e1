// How many orders the kitchen has to do with. Called by Shop's KitchenLoad about once a second.
import Ordering
import Postgres

extension ShopDatabase {
    /// How many of the newest 100 orders, of the last two hours, are on their way, and how many of the last 100 that are wanted about now, up to an hour from
    /// now. An id begins with its basket's time, so the newest orders are found from the end of the primary key, however many orders there are; more
    /// than 100 make no difference to the rule.
    package func countOpenOrders() async throws(DatabaseFault) -> Int {
        let counts = try await query(Self.countOpenOrdersStatement, .reads) { row throws(PostgresError) in try row.next(Int64.self) }
        return Int(counts.first ?? 0)
    }

    private static let countOpenOrdersStatement = Statement(
        "count_open_orders",
        """
        select count(*) from (
            (select state, placed_at as due_at, wanted_at is null as counts from orders order by id desc limit 100)
            union all
            (select state, wanted_at, true from orders
             where wanted_at between now() - interval '2 hours' and now() + interval '\(Kitchen.ahead.components.seconds) seconds' order by wanted_at desc limit 100)
        ) as due
        where counts and state in ('placed', 'accepted', 'preparing', 'on_the_way') and due_at > now() - interval '2 hours'
        """)
}
