// A server that was started on an empty database must not slow down when it fills: its plans were made, and kept, when there was nothing.
// Tests DatabaseConfiguration.sessionSettings with every statement that a guest waits for, by what PostgreSQL's statistics say was read.
@testable import Database
@testable import Ordering
import Postgres
import Support
import Testing

@Suite struct PlanTests {
    @Test(
        "statements planned on an empty database read a full one by key: no table is scanned, and no index from end to end",
        arguments: ["nothing is known of the tables", "the tables are known to be empty"])
    func plans(_ statistics: String) async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            // What is not known PostgreSQL takes for ten pages; what is known to be empty it would rather read whole than look up in.
            if statistics == "the tables are known to be empty" { try await database.psql("analyze") }
            try await OpenShop.with(on: database) { open async throws in
                try await askBeforeThereIsAnything(open)
                for round in 0..<12 { try await runAll(open, Guest(round)) }
                try await database.psql(Self.fill)
                for round in 100..<112 { try await runAll(open, Guest(round)) }
            }
            // A session that has ended has told all its numbers.
            let scans =
                "select relname, seq_scan from pg_stat_user_tables where relname in ('baskets', 'orders', 'coupon_uses', 'order_steps') and seq_scan > 0"
            let tablesScanned = try await database.psql(scans)
            #expect(tablesScanned == "")
            // One statement that reads an index from end to end in each round comes to 360,000; the kitchen's look at the newest orders
            // can pass once over all those that are just being filled in.
            let reads = """
                select indexrelname, idx_tup_read from pg_stat_user_indexes
                where relname in ('baskets', 'orders', 'coupon_uses', 'order_steps') and idx_tup_read > 100000
                """
            let indexesReadThrough = try await database.psql(reads)
            #expect(indexesReadThrough == "")
        }
    }

    /// The first plans of all are those of somebody who asks for a basket that is not there.
    private func askBeforeThereIsAnything(_ open: OpenShop) async throws {
        let nowhere = BasketID.make(now: Instant(microseconds: 0), random: (1, 2))
        for coupon in [nil, CouponKey(text: "FRST")] {
            for _ in 0..<12 { _ = try await open.storage.loadCheckoutFacts([FactsQuestion(basketID: nowhere, coupon: coupon)]) }
        }
    }

    /// Everything that a guest waits for.
    private func runAll(_ open: OpenShop, _ guest: Guest) async throws {
        let first = try await open.order(by: guest, coupon: "FRST")
        let order = try #require(first.order)
        _ = try await open.order(by: guest)
        _ = try await open.order(by: guest, coupon: "FOLLOW")
        _ = try await open.order(by: guest, coupon: "FRST")
        _ = try await open.shop.baskets.load(order.id)
        _ = try await open.storage.loadOrder(order.id)
        _ = try await open.storage.countOpenOrders()
        _ = try await open.storage.loadUnnumberedOrders(after: nil, limit: 100)
        _ = try await open.storage.cancelOrder(order.id)

        // Two that want the last redemption: one loses, and what it left is undone.
        let drafts = [
            try await open.draft(open.basket(), by: guest, coupon: "FRST"), try await open.draft(open.basket(), by: guest, coupon: "FRST"),
        ]
        let facts = try await open.storage.loadCheckoutFacts(drafts.map(FactsQuestion.init))
        let menu = try await open.storage.loadMenu().menu
        let decided = try zip(drafts, facts).compactMap { draft, facts in
            if case .accept(let order) = Checkout.decide(draft, try facts.get().facts(menu: menu)) { order } else { nil as OrderDraft? }
        }
        _ = try await open.storage.placeOrders(decided)
    }

    /// 30,000 of everything: orders of guests with a coupon each. Nothing is analysed, after which every plan would be made anew.
    private static let fill = """
        insert into baskets (id, state, lines_made, line_ids, line_notes, line_sales, line_items, line_quantities, line_prices, currency, changed_at)
        select gen_random_uuid(), 'ordered', 1, '{1}', '{null}', '{0}', '{2001}', '{1}', '{805}', 'USD', now() from generate_series(1, 30000);
        insert into orders (id, number, idempotency_key, fingerprint, name, phone, email, address, coupon_key, coupon_id, line_ids, line_notes, line_items, line_kinds, line_titles, line_quantities, line_regular_prices, line_prices, line_discounts, line_sales, line_sale_titles, total_kinds, total_codes, total_titles, total_amounts, total_are_included, total_rates, subtotal, discount,
                            total, currency, eta_minutes, placed_at, day_number)
        select gen_random_uuid(), lpad(n::text, 8, '0'), 'key', '', 'Ann', '+1' || (3000000000 + n), 'filler.' || n || '@example.com', 'Somewhere', 'FRST', 1,
               array[1], array[null], array[2001], array['regular'], array['The Big Tasty'], array[1], array[805], array[805], array[80], array[0], array[null],
               '{discount}', '{FRST}', '{First}', '{-80}', '{f}', '{null}', 805, 80, 725, 'USD', 15, now(), n
        from generate_series(1, 30000) as n;
        insert into coupon_uses (coupon_id, guest_key, period, use_number, order_id)
        select 1, 'tel:+1' || (3000000000 + n), 0, 1, gen_random_uuid() from generate_series(1, 30000) as n;
        insert into order_steps (order_id, step, state, at) select gen_random_uuid(), 1, 'accepted', now() from generate_series(1, 30000);
        """
}
