// Counts the open orders in the kitchen.
import Ordering
import Postgres

extension ShopDatabase {
    /// How many orders of the last two hours are open, plus open pre-orders that are wanted from two hours ago to an
    /// hour from now. Each part counts at most 100, because a longer queue does not change the estimate.
    package func countOpenOrders() async throws(DatabaseFault) -> Int {
        let counts = try await query(Self.kitchenStatement, .reads) { try $0.next(Int.self) }
        return counts.first ?? 0
    }

    // The limit of 100 applies to open orders, so that closed orders hide none. Pre-orders are read by wanted time, in
    // index order. The inner limit bounds the work if many of them are closed. Citus needs a column in each part.
    private static let kitchenStatement = Statement(
        "load_kitchen_orders",
        """
        select count(*) from (
            (select 1 from (
                \(recentRows)
            ) as recent limit 100)
            union all
            (select 1 from (select state from orders
                          where wanted_at > now() - interval '2 hours'
                            and wanted_at <= now() + interval '\(Kitchen.leadTime.components.seconds) seconds'
                          order by wanted_at desc, id desc limit 1000) as wanted
             where state in (\(openStates)) limit 100)
        ) as open
        """)

    private static let recentRows = OpenOrders.union { state in
        """
        select 1 from orders where state = \(state) and placed_at > now() - interval '2 hours' and wanted_at is null
        limit 100
        """
    }

    private static let openStates = OrderState.open.map { "'\($0.rawValue)'" }.joined(separator: ", ")
}
