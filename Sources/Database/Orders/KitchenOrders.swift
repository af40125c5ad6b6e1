// How many orders the kitchen has to do with.
import Ordering
import Postgres

extension ShopDatabase {
    /// How many orders of the last two hours are open, and how many of those that are wanted from two hours ago to an
    /// hour from now; of each kind 100 at most, because a longer queue changes no estimate.
    package func countOpenOrders() async throws(DatabaseFault) -> Int {
        let counts = try await query(Self.kitchenStatement, .reads) { row throws(PostgresError) in
            try row.next(Int.self)
        }
        return counts.first ?? 0
    }

    // The limit of 100 applies to open orders, so that orders which are closed already hide none. The newest orders are
    // the open ones: the inner limit bounds the work where many of them were cancelled or delivered. It applies to the
    // whole index, because a plan made on an empty table would sort all orders of two hours.
    private static let kitchenStatement = Statement(
        "load_kitchen_orders",
        """
        select count(*) from (
            (select from (select state, placed_at, wanted_at from orders
                          order by placed_at desc, id desc limit 1000) as newest
             where placed_at > now() - interval '2 hours' and wanted_at is null and state in (\(openStates)) limit 100)
            union all
            (select from (select state from orders
                          where wanted_at > now() - interval '2 hours'
                            and wanted_at <= now() + interval '\(Kitchen.ahead.components.seconds) seconds'
                          order by wanted_at desc, id desc limit 1000) as wanted
             where state in (\(openStates)) limit 100)
        ) as open
        """)

    private static let openStates = OrderState.allCases.filter(\.isOpen).map { "'\($0.rawValue)'" }.joined(
        separator: ", ")
}
