// What the kitchen has to do with, which every estimate of a time goes by. Tests KitchenOrders.swift.
import Support
import Testing

@testable import Database

@Suite struct KitchenOrdersTests {
    @Test("an order for later counts when it comes up, however many of that day are delivered already")
    func later() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            try await OpenShop.with(on: database) { open async throws in
                try await database.psql(
                    """
                    insert into orders (id, number, state, idempotency_key, fingerprint, name, phone, email, address, line_ids, line_items, line_kinds,
                        line_titles, line_quantities, line_regular_prices, line_prices, line_discounts, line_sales, subtotal, discount, total, currency,
                        wanted_at, slot_items, placed_at)
                    select gen_random_uuid(), lpad(n::text, 8, '0'), case when n <= 110 then 'delivered' else 'placed' end, 'key ' || n, '', 'Ann',
                        '+12125550100', 'ann@example.com', 'Somewhere', '{1}', '{3001}', '{regular}', '{Fries}', '{1}', '{300}', '{300}', '{0}', '{0}',
                        300, 0, 300, 'USD',
                        case when n <= 110 then now() - interval '1 hour' when n <= 117 then now() + interval '30 minutes' else now() + interval '3 hours' end,
                        1, now() - interval '1 day'
                    from generate_series(1, 120) as n
                    """)
                #expect(try await open.storage.loadKitchenOrders().openCount == 7)
            }
        }
    }
}
