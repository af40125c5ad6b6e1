// Which orders the kitchen has to do with: how many, and which have come up without a number. Called by Shop's KitchenLoad about once a second.
// Read next: sql/007_order_steps.sql.
import FoundationEssentials
import Ordering
import Postgres

/// What the kitchen has to do with.
package struct KitchenOrders: Sendable, Hashable {
    /// How many orders are open; beyond 100 it makes no difference.
    package let openCount: Int
    /// Those that were accepted before they came up, and have no number of the day yet.
    package let unnumbered: [OrderID]
}

extension ShopDatabase {
    /// Looks at the newest 100 orders, of the last two hours, and at the last 100 that are wanted about now, up to an hour from now. An id begins with its
    /// basket's time, so the newest orders are found from the end of the primary key, however many orders there are.
    package func loadKitchenOrders() async throws(DatabaseFault) -> KitchenOrders {
        let found = try await query(Self.kitchenStatement, .reads) { row throws(PostgresError) in
            KitchenOrders(openCount: try row.next(Int.self), unnumbered: try row.next([UUID].self).map { OrderID($0) })
        }
        return found.first ?? KitchenOrders(openCount: 0, unnumbered: [])
    }

    /// Gives an order that has come up its number of the day, unless it has one, or somebody is at the order right now.
    package func number(_ order: OrderID) async throws(DatabaseFault) {
        try await execute(Self.numberStatement, .writes, order.uuid)
    }

    private static let kitchenStatement = Statement(
        "load_kitchen_orders",
        """
        select count(*) filter (where counts and state in ('placed', 'accepted', 'preparing', 'on_the_way') and due_at > now() - interval '2 hours'),
               coalesce(array_agg(id) filter (where is_for_later and state = 'accepted' and day_number is null), '{}')
        from (
            (select id, state, day_number, placed_at as due_at, wanted_at is null as counts, false as is_for_later from orders order by id desc limit 100)
            union all
            (select id, state, day_number, wanted_at, true, true from orders
             where wanted_at between now() - interval '2 hours' and now() + interval '\(Kitchen.ahead.components.seconds) seconds' order by wanted_at desc limit 100)
        ) as due
        """)

    private static let numberStatement = Statement("number_order", "select number_order($1)")
}
