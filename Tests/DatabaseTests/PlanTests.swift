// Query plans that were made and cached on an empty database must stay fast when the tables fill.
// Tests DatabaseConfiguration.sessionSettings with every statement that guests wait for, by PostgreSQL's statistics.
@testable import Database
@testable import Ordering
import Postgres
import Support
import Testing

@Suite struct PlanTests {
    @Test(
        "Plans made on empty tables look up rows of full tables by key, without scanning a whole table or index",
        arguments: ["without statistics", "with the statistics of empty tables"])
    func plans(_ statistics: String) async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            // PostgreSQL assumes ten pages for an unanalysed table, and prefers a full scan of a table known as empty.
            if statistics == "with the statistics of empty tables" { try await database.psql("analyze") }
            try await ShopFixture.with(on: database) { fixture async throws in
                try await readMissingBasket(fixture)
                for round in 0..<12 { try await runGuestStatements(fixture, Guest(round)) }
                try await database.psql(Self.fill)
                for round in 100..<112 { try await runGuestStatements(fixture, Guest(round)) }
            }
            // PostgreSQL has all statistics of a session only after the session has ended.
            let scans =
                """
                select relname, seq_scan from pg_stat_user_tables
                where relname in ('baskets', 'orders', 'coupon_uses', 'order_steps') and seq_scan > 0
                """
            let tablesScanned = try await database.psql(scans)
            #expect(tablesScanned == "")
            // A statement that reads a whole index in each round reads 360,000 entries.
            let reads = """
                select indexrelname, idx_tup_read from pg_stat_user_indexes
                where relname in ('baskets', 'orders', 'coupon_uses', 'order_steps') and idx_tup_read > 100000
                """
            let indexesReadThrough = try await database.psql(reads)
            #expect(indexesReadThrough == "")
        }
    }

    /// Makes PostgreSQL plan the first statements for a basket that does not exist.
    private func readMissingBasket(_ fixture: ShopFixture) async throws {
        let missingID = BasketID.make(now: Instant(microseconds: 0), random: (1, 2))
        for coupon in [nil, CouponKey(text: "FRST")] {
            for _ in 0..<12 {
                _ = try await fixture.storage.loadCheckoutFacts([
                    CheckoutFactsQuery(basketID: missingID, coupon: coupon)
                ])
            }
        }
    }

    /// Runs every statement that a guest waits for.
    private func runGuestStatements(_ fixture: ShopFixture, _ guest: Guest) async throws {
        let first = try await fixture.placeOrder(by: guest, coupon: "FRST")
        let order = try #require(first.order)
        _ = try await fixture.placeOrder(by: guest)
        _ = try await fixture.placeOrder(by: guest, coupon: "FOLLOW")
        _ = try await fixture.placeOrder(by: guest, coupon: "FRST")
        _ = try await fixture.shop.baskets.load(order.id)
        _ = try await fixture.storage.loadOrder(order.id)
        _ = try await fixture.storage.countOpenOrders()
        _ = try await fixture.storage.loadUnnumberedOrders(after: nil, limit: 100)
        _ = try await fixture.storage.cancelOrder(order.id)

        // Both checkouts are for the guest's first order, so one of them conflicts and is undone.
        let drafts = [
            try await fixture.makeDraft(fixture.makeBasket(), by: guest, coupon: "FRST"),
            try await fixture.makeDraft(fixture.makeBasket(), by: guest, coupon: "FRST"),
        ]
        let facts = try await fixture.storage.loadCheckoutFacts(drafts.map(CheckoutFactsQuery.init))
        let menu = try await fixture.storage.loadMenu().menu
        let decided = try zip(drafts, facts).compactMap { draft, facts in
            if case .accept(let order) = Checkout.decide(draft, try facts.get().facts(menu: menu)) {
                order
            } else {
                nil as OrderDraft?
            }
        }
        _ = try await fixture.storage.placeOrders(decided)
    }

    /// Inserts 30,000 rows per table: orders of guests with one coupon each. ANALYZE would invalidate all plans. The
    /// orders are older than those that the server reads in the background.
    private static let fill = """
        insert into baskets (id, state, lines_made, lines, currency, changed_at)
        select gen_random_uuid(), 'ordered', 1, array[row(1, 2001, null, 805, 1, null)::basket_line], 'USD', now()
        from generate_series(1, 30000);
        insert into orders (id, number, idempotency_key, fingerprint, name, phone, email, address,
                            coupon_key, coupon_id, lines, totals, subtotal, discount,
                            total, currency, eta_minutes, placed_at, day_number)
        select gen_random_uuid(), lpad(n::text, 8, '0'), 'key', '', 'Ann', '+1' || (3000000000 + n),
               'filler.' || n || '@example.com', 'Somewhere', 'FRST', 1,
               array[row(1, 2001, null, 805, 805, 80, null, 1, 'regular', 'The Big Tasty', null, null)::order_line],
               array[row(-80, null, false, 'discount', 'FRST', 'First', null)::order_total],
               805, 80, 725, 'USD', 15, now() - interval '9 days', n
        from generate_series(1, 30000) as n;
        insert into coupon_uses (coupon_id, guest_key, period, use_number, order_id)
        select 1, 'tel:+1' || (3000000000 + n), 0, 1, gen_random_uuid() from generate_series(1, 30000) as n;
        insert into order_steps (order_id, step, state, at)
        select gen_random_uuid(), 1, 'accepted', now() from generate_series(1, 30000);
        """
}
