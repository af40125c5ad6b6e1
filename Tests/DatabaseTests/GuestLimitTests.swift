// How often a guest may use coupons, while orders race, staff change their minds, and orders are given up: always known from the orders, and exact.
// Tests LoadCheckoutFacts and place_orders with Ordering's GuestPast. Read next: Sources/Ordering/Coupons/CouponUse.swift.
@testable import Database
import Ordering
import Postgres
import Shop
import Support
import Testing

@Suite("Promise 3: exact for each guest, whatever staff change") struct GuestLimitTests {
    private static let hello = """
        insert into coupons (id, key, title, description, benefit, percent, condition) values
            (90, 'HELLO', 'Hello', 'Half off a first order.', 'percent', 50, 'first_order')
        """

    @Test(
        "a first order is one, whichever of the coupons for first orders it uses, on two servers at the same moment; given up, it was none")
    func firstOrders() async throws {
        try await OpenShop.two { one, other in
            try await one.database.psql(Self.hello)
            for round in 0..<20 {
                var strangers = [Guest(2 * round), Guest(2 * round + 1)]
                // The phone is enough to know a guest again, and so is the email.
                if round % 2 == 0 { strangers[1].phone = strangers[0].phone } else { strangers[1].email = strangers[0].email }
                let guests = strangers
                let drafts = [
                    try await one.draft(one.basket(), by: guests[0], coupon: "FRST"),
                    try await one.draft(one.basket(), by: guests[1], coupon: "HELLO"),
                ]
                let answers = try await together([0, 1]) { try await ($0 == 0 ? one : other).shop.checkouts.submit(drafts[$0]) }
                #expect(answers.filter(\.isPlaced).count == 1, "round \(round)")
                #expect(answers.contains { $0.codes == [.couponFirstOrderOnly] }, "round \(round)")
                if round % 5 == 0 {
                    let order = try #require(answers.compactMap(\.order).first)
                    _ = try await one.storage.cancelOrder(order.id)
                    let late = answers[0].isPlaced ? 1 : 0
                    #expect(try await other.shop.checkouts.submit(drafts[late]).isPlaced, "round \(round)")
                }
            }
            #expect(try await one.database.psql("select distinct coupon_id from coupon_uses") == "0")
            #expect(
                try await one.database.psql(
                    "select count(*) from coupon_uses where order_id not in (select id from orders where state = 'placed')") == "0")
            #expect(try await one.database.psql("select sum(redeemed) from coupon_redemptions") == "20")
        }
    }

    @Test("two coupons for first orders that were decided from one moment: the second is not placed, and leaves nothing behind")
    func firstOrdersDecided() async throws {
        try await OpenShop.with { open async throws in
            try await open.database.psql(Self.hello)
            let drafts = [
                try await open.draft(open.basket(), by: Guest(1), coupon: "FRST"),
                try await open.draft(open.basket(), by: Guest(1), coupon: "HELLO"),
            ]
            var decided: [OrderDraft] = []
            for draft in drafts { decided += try await decide(draft, open) }
            #expect(decided.count == 2)
            #expect(try await open.storage.placeOrders([decided[0]]).count == 1)
            #expect(try await open.storage.placeOrders([decided[1]]) == [:])
            #expect(
                try await open.database.psql(
                    "select count(*), (select sum(redeemed) from coupon_redemptions), (select count(*) from coupon_uses) from orders")
                    == "1|1|2")
            #expect(try await open.shop.checkouts.submit(drafts[1]).codes == [.couponFirstOrderOnly])
        }
    }

    @Test(
        "who has used a coupon is known whatever staff change in its limit: the period there and back, a limit that is given later, lowered, raised"
    )
    func edited() async throws {
        try await OpenShop.with { open async throws in
            func set(_ change: String) async throws { try await open.database.staff("update coupons set \(change) where key = 'FOLLOW'") }
            func order() async throws -> CheckoutAnswer { try await open.order(by: Guest(1), coupon: "FOLLOW") }
            let first = try #require(try await order().order)
            for change in [
                "guest_period = 'calendar_year'", "guest_period = 'ever'", "guest_limit = null, title = 'For all'", "guest_limit = 1",
            ] {
                try await set(change)
                if !change.contains("null") { #expect(try await order().codes == [.couponAlreadyUsed], "\(change)") }
            }
            // Without a limit for a while.
            try await set("guest_limit = null")
            let second = try #require(try await order().order)
            let third = try #require(try await order().order)
            for limit in [3, 1, 2] {
                try await set("guest_limit = \(limit)")
                #expect(try await order().codes == [.couponAlreadyUsed], "\(limit)")
                try await set("guest_period = 'calendar_year'")
                #expect(try await order().codes == [.couponAlreadyUsed], "\(limit) a year")
                try await set("guest_period = 'ever'")
            }
            // Two are given up: one is left, and one more may be.
            for order in [second, third] { _ = try await open.storage.cancelOrder(order.id) }
            #expect(try await order().isPlaced)
            #expect(try await order().codes == [.couponAlreadyUsed])
            // It was for first orders for a while, and others used it then.
            try await set("guest_limit = 1, condition = 'first_order'")
            let other = try await open.order(by: Guest(2), coupon: "FOLLOW")
            #expect(other.isPlaced)
            try await set("condition = 'none'")
            #expect(try await open.order(by: Guest(2), coupon: "FOLLOW").codes == [.couponAlreadyUsed])
            _ = try await open.storage.cancelOrder(first.id)
            _ = try await open.storage.cancelOrder(#require(other.order?.id))
            #expect(try await open.order(by: Guest(2), coupon: "FOLLOW").isPlaced)
            #expect(
                try await open.database.psql(
                    "select count(*) from coupon_uses where order_id not in (select id from orders where state = 'placed')") == "0")
        }
    }

    @Test("an order that was decided before staff changed its coupon is not placed by what the coupon was")
    func staleCoupon() async throws {
        try await OpenShop.with { open async throws in
            try await open.database.staff("update coupons set guest_limit = null where key = 'FOLLOW'")
            let drafts = [
                try await open.draft(open.basket(), by: Guest(1), coupon: "FOLLOW"),
                try await open.draft(open.basket(), by: Guest(1), coupon: "FOLLOW"),
            ]
            // Without a limit, which it gets before the order is placed; meanwhile the guest has had the one that is left.
            let early = try await decide(drafts[0], open)
            try await open.database.staff("update coupons set guest_limit = 1 where key = 'FOLLOW'")
            #expect(try await open.shop.checkouts.submit(drafts[1]).isPlaced)
            #expect(try await open.storage.placeOrders(early) == [:])
            #expect(
                try await open.database.psql("select count(*), (select redeemed from coupon_redemptions where coupon_id = 3) from orders")
                    == "1|1")
            #expect(try await open.shop.checkouts.submit(drafts[0]).codes == [.couponAlreadyUsed])
        }
    }

    @Test("while staff change the limit and the period again and again, a guest's orders at once are never more than the highest limit")
    func editedMeanwhile() async throws {
        try await OpenShop.two { one, other in
            let guests = 12
            let drafts = try await together(Array(0..<8 * guests)) {
                try await one.draft(one.basket(), by: Guest($0 % guests), coupon: "FOLLOW")
            }
            let staff = try await PostgresConnection.connect(one.database.staffURL, logger: .silent)
            async let edits: Void = {
                for round in 0..<60 {
                    let (limit, period) = (1 + round % 2, round % 3 == 0 ? "calendar_year" : "ever")
                    try await staff.run(
                        script: "update coupons set guest_limit = \(limit), guest_period = '\(period)' where key = 'FOLLOW'")
                }
            }()
            // Who was decided by a coupon that has changed three times over is asked to come again.
            let answers = try await together(Array(drafts.indices)) { index -> CheckoutAnswer in
                while true {
                    do throws(ShopFault) {
                        return try await (index % 2 == 0 ? one : other).shop.checkouts.submit(drafts[index])
                    } catch {
                        guard [.overloaded, .waitedTooLong, .lostTooOften].contains(error) else { throw error }
                    }
                }
            }
            try await edits
            await staff.close()
            let most = try await one.database.psql("select max(count) from (select count(*) from orders group by phone) as used")
            #expect(["1", "2"].contains(most))
            #expect(answers.filter(\.isPlaced).count >= guests)
            #expect(
                try await one.database.psql("select count(*) = (select redeemed from coupon_redemptions where coupon_id = 3) from orders")
                    == "t")
        }
    }

    private func decide(_ draft: CheckoutDraft, _ open: OpenShop) async throws -> [OrderDraft] {
        let facts = try await open.storage.loadCheckoutFacts([FactsQuestion(draft)])
        let menu = try await open.storage.loadMenu().menu
        guard case .accept(let order) = Checkout.decide(draft, try facts[0].get().facts(menu: menu)) else { return [] }
        return [order]
    }
}
