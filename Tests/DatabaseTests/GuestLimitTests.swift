// How often a guest may use a coupon while orders race, staff edit the coupon and orders are cancelled.
// The count always comes from the orders, and it is exact.
@testable import Database
import Ordering
import Postgres
import Shop
import Support
import Testing

@Suite("Coupon limits per guest") struct GuestLimitTests {
    private static let insertHelloCoupon = """
        insert into coupons (id, key, title, description, benefit, percent, condition) values
            (90, 'HELLO', 'Hello', 'Half off a first order.', 'percent', 50, 'first_order')
        """

    @Test(
        "Two servers accept only one first-order coupon per guest, and accept another after a cancellation")
    func firstOrders() async throws {
        try await ShopFixture.withTwoServers { firstServer, secondServer in
            try await firstServer.database.psql(Self.insertHelloCoupon)
            for round in 0..<20 {
                var pair = [Guest(2 * round), Guest(2 * round + 1)]
                // The phone number alone identifies a guest, and so does the email address.
                if round % 2 == 0 { pair[1].phone = pair[0].phone } else { pair[1].email = pair[0].email }
                let guests = pair
                let drafts = [
                    try await firstServer.makeDraft(firstServer.makeBasket(), by: guests[0], coupon: "FRST"),
                    try await firstServer.makeDraft(firstServer.makeBasket(), by: guests[1], coupon: "HELLO"),
                ]
                let answers = try await runConcurrently([0, 1]) {
                    try await ($0 == 0 ? firstServer : secondServer).shop.checkouts.submit(drafts[$0])
                }
                #expect(answers.filter(\.isPlaced).count == 1, "round \(round)")
                #expect(answers.contains { $0.errorCodes == [.couponFirstOrderOnly] }, "round \(round)")
                if round % 5 == 0 {
                    let order = try #require(answers.compactMap(\.order).first)
                    _ = try await firstServer.storage.cancelOrder(order.id)
                    let loser = answers[0].isPlaced ? 1 : 0
                    #expect(try await secondServer.shop.checkouts.submit(drafts[loser]).isPlaced, "round \(round)")
                }
            }
            #expect(try await firstServer.database.psql("select distinct coupon_id from coupon_uses") == "0")
            #expect(
                try await firstServer.database.psql(
                    """
                    select count(*) from coupon_uses
                    where order_id not in (select id from orders where state = 'placed')
                    """) == "0")
            #expect(try await firstServer.database.psql("select sum(redeemed) from coupon_redemptions") == "20")
        }
    }

    @Test("The second of two first-order checkouts decided at the same time is not placed and leaves no rows")
    func concurrentFirstOrders() async throws {
        try await ShopFixture.with { fixture async throws in
            try await fixture.database.psql(Self.insertHelloCoupon)
            let drafts = [
                try await fixture.makeDraft(fixture.makeBasket(), by: Guest(1), coupon: "FRST"),
                try await fixture.makeDraft(fixture.makeBasket(), by: Guest(1), coupon: "HELLO"),
            ]
            var decided: [OrderDraft] = []
            for draft in drafts { decided += try await decide(draft, fixture) }
            #expect(decided.count == 2)
            #expect(try await fixture.storage.placeOrders([decided[0]]).count == 1)
            #expect(try await fixture.storage.placeOrders([decided[1]]) == [:])
            #expect(
                try await fixture.database.psql(
                    """
                    select count(*), (select sum(redeemed) from coupon_redemptions), (select count(*) from coupon_uses)
                    from orders
                    """)
                    == "1|1|2")
            #expect(try await fixture.shop.checkouts.submit(drafts[1]).errorCodes == [.couponFirstOrderOnly])
        }
    }

    @Test(
        "A guest's earlier uses of a coupon still count after every change of its limit, period or condition"
    )
    func editedLimits() async throws {
        try await ShopFixture.with { fixture async throws in
            func set(_ change: String) async throws {
                try await fixture.database.psqlAsStaff("update coupons set \(change) where key = 'FOLLOW'")
            }
            func order() async throws -> CheckoutAnswer { try await fixture.placeOrder(by: Guest(1), coupon: "FOLLOW") }
            let first = try #require(try await order().order)
            for change in [
                "guest_period = 'calendar_year'", "guest_period = 'ever'", "guest_limit = null, title = 'For all'",
                "guest_limit = 1",
            ] {
                try await set(change)
                if !change.contains("null") {
                    #expect(try await order().errorCodes == [.couponAlreadyUsed], "\(change)")
                }
            }
            // The coupon has no limit for a while.
            try await set("guest_limit = null")
            let second = try #require(try await order().order)
            let third = try #require(try await order().order)
            for limit in [3, 1, 2] {
                try await set("guest_limit = \(limit)")
                #expect(try await order().errorCodes == [.couponAlreadyUsed], "\(limit)")
                try await set("guest_period = 'calendar_year'")
                #expect(try await order().errorCodes == [.couponAlreadyUsed], "\(limit) a year")
                try await set("guest_period = 'ever'")
            }
            // After two cancellations one use is left, and the limit of 2 permits one more.
            for order in [second, third] { _ = try await fixture.storage.cancelOrder(order.id) }
            #expect(try await order().isPlaced)
            #expect(try await order().errorCodes == [.couponAlreadyUsed])
            // The coupon was a first-order coupon for a while, and another guest used it then.
            try await set("guest_limit = 1, condition = 'first_order'")
            let otherGuest = try await fixture.placeOrder(by: Guest(2), coupon: "FOLLOW")
            #expect(otherGuest.isPlaced)
            try await set("condition = 'none'")
            #expect(try await fixture.placeOrder(by: Guest(2), coupon: "FOLLOW").errorCodes == [.couponAlreadyUsed])
            _ = try await fixture.storage.cancelOrder(first.id)
            _ = try await fixture.storage.cancelOrder(#require(otherGuest.order?.id))
            #expect(try await fixture.placeOrder(by: Guest(2), coupon: "FOLLOW").isPlaced)
            #expect(
                try await fixture.database.psql(
                    """
                    select count(*) from coupon_uses
                    where order_id not in (select id from orders where state = 'placed')
                    """) == "0")
        }
    }

    @Test("An order decided before staff changed its coupon is not placed under the old conditions")
    func staleCoupon() async throws {
        try await ShopFixture.with { fixture async throws in
            try await fixture.database.psqlAsStaff("update coupons set guest_limit = null where key = 'FOLLOW'")
            let drafts = [
                try await fixture.makeDraft(fixture.makeBasket(), by: Guest(1), coupon: "FOLLOW"),
                try await fixture.makeDraft(fixture.makeBasket(), by: Guest(1), coupon: "FOLLOW"),
            ]
            // The coupon has no limit at the decision. It gets a limit before the order is placed, and the guest
            // reaches the limit with another order.
            let stale = try await decide(drafts[0], fixture)
            try await fixture.database.psqlAsStaff("update coupons set guest_limit = 1 where key = 'FOLLOW'")
            #expect(try await fixture.shop.checkouts.submit(drafts[1]).isPlaced)
            #expect(try await fixture.storage.placeOrders(stale) == [:])
            #expect(
                try await fixture.database.psql(
                    "select count(*), (select redeemed from coupon_redemptions where coupon_id = 3) from orders")
                    == "1|1")
            #expect(try await fixture.shop.checkouts.submit(drafts[0]).errorCodes == [.couponAlreadyUsed])
        }
    }

    @Test("While staff change the limit repeatedly, a guest never places more orders than the highest limit")
    func concurrentEdits() async throws {
        try await ShopFixture.withTwoServers { firstServer, secondServer in
            let guests = 12
            let drafts = try await runConcurrently(Array(0..<8 * guests)) {
                try await firstServer.makeDraft(firstServer.makeBasket(), by: Guest($0 % guests), coupon: "FOLLOW")
            }
            let staff = try await PostgresConnection.connect(firstServer.database.staffURL, logger: .silent)
            async let edits: Void = {
                for round in 0..<60 {
                    let (limit, period) = (1 + round % 2, round % 3 == 0 ? "calendar_year" : "ever")
                    try await staff.run(
                        script: """
                            update coupons set guest_limit = \(limit), guest_period = '\(period)' where key = 'FOLLOW'
                            """)
                }
            }()
            // A checkout whose coupon changed three times fails, and the client retries it.
            let answers = try await runConcurrently(Array(drafts.indices)) { index -> CheckoutAnswer in
                while true {
                    do throws(ShopFault) {
                        return try await (index % 2 == 0 ? firstServer : secondServer).shop.checkouts.submit(
                            drafts[index])
                    } catch {
                        guard [.overloaded, .timedOutInQueue, .tooManyConflicts].contains(error) else { throw error }
                    }
                }
            }
            try await edits
            await staff.close()
            let most = try await firstServer.database.psql(
                "select max(count) from (select count(*) from orders group by phone) as used")
            #expect(["1", "2"].contains(most))
            #expect(answers.filter(\.isPlaced).count >= guests)
            #expect(
                try await firstServer.database.psql(
                    "select count(*) = (select redeemed from coupon_redemptions where coupon_id = 3) from orders")
                    == "t")
        }
    }

    private func decide(_ draft: CheckoutDraft, _ fixture: ShopFixture) async throws -> [OrderDraft] {
        let facts = try await fixture.storage.loadCheckoutFacts([CheckoutFactsQuery(draft)])
        let menu = try await fixture.storage.loadMenu().menu
        guard case .accept(let order) = Checkout.decide(draft, try facts[0].get().facts(menu: menu)) else { return [] }
        return [order]
    }

    @Test("The rejection of an order after its deadline reads only the coupon uses of its guest")
    func readsOfRejection() async throws {
        try await ShopFixture.with { fixture async throws in
            let order = try #require(try await fixture.placeOrder(by: Guest(1), coupon: "FRST").order)
            try await fixture.database.psql(
                """
                insert into coupon_uses (coupon_id, guest_key, period, use_number, order_id)
                select 0, 'tel:+1' || n, 0, 1, gen_random_uuid() from generate_series(1, 5000) as n;
                analyze coupon_uses
                """)
            let output = try await fixture.database.psql(
                """
                begin;
                select settle_waiting_order('\(order.id)', revision, now(), 'late') from menu_revision;
                select seq_tup_read + idx_tup_fetch, n_tup_del from pg_stat_xact_user_tables
                where relname = 'coupon_uses';
                rollback
                """)
            let reads = try #require(output.split(separator: "\n").last?.split(separator: "|").map { Int($0) })
            #expect(try #require(reads.first ?? nil) < 10, "\(output)")
            #expect(reads.last == 2, "one for the phone and one for the email")
        }
    }
}
