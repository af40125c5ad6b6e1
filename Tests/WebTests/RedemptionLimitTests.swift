// Redemption limits under concurrency, in total and per guest, and the return of a redemption by a cancelled order.

import Support
import Testing
import Wire

@Suite("Redemption limits are exact", .timeLimit(.minutes(10)))
struct RedemptionLimitTests {
    @Test("When 500 guests use a coupon with 10 redemptions left, exactly 10 succeed and the others return 422")
    func tenLeft() async throws {
        try await TestShop.run { shop in
            try await shop.database.psql(
                """
                insert into coupons (id, key, title, description, benefit, percent, redemption_limit)
                values (90, 'TEN', 'Ten', 'Ten left.', 'percent', 10, 10)
                """)
            let baskets = try await inParallel(500) { _ in try await shop.server.startBasket(items: [(2001, 1)]) }
            let replies = try await inParallel(500) { n in
                try await retryingWhileBusy {
                    try await shop.server.checkout(
                        .filled(for: baskets[n], guest: n, coupon: "TEN", total: 725), key: "k")
                }
            }
            #expect(replies.filter { $0.status == 201 }.count == 10)
            let others = replies.filter { $0.status != 201 }
            #expect(others.allSatisfy { $0.status == 422 && $0.errors == ["coupon: coupon_exhausted"] })
            let rows = try await shop.database.psql(
                """
                select redeemed, (select count(*) from orders where coupon_id = 90),
                    (select count(*) from baskets where state = 'ordered')
                from coupon_redemptions where coupon_id = 90
                """
            )
            #expect(rows == "10|10|10")
        }
    }

    @Test("When 100 baskets of one guest use a once-per-guest coupon on two servers, exactly 1 succeeds")
    func oncePerGuest() async throws {
        try await TestShop.run { shop in
            try await TestShop.run(on: shop.database) { other in
                let servers = [shop.server, other.server]
                let baskets = try await inParallel(100) { n in try await servers[n % 2].startBasket(items: [(2001, 1)])
                }
                let replies = try await inParallel(100) { n in
                    try await retryingWhileBusy {
                        try await servers[n % 2].checkout(
                            .filled(for: baskets[n], coupon: "FOLLOW", total: 0), key: "k")
                    }
                }
                #expect(replies.filter { $0.status == 201 }.count == 1)
                #expect(replies.filter { $0.status == 422 && $0.errors == ["coupon: coupon_already_used"] }.count == 99)
                let rows = try await shop.database.psql(
                    """
                    select redeemed, (select count(*) from orders), (select count(distinct order_id) from coupon_uses)
                    from coupon_redemptions where coupon_id = 3
                    """
                )
                #expect(rows == "1|1|1")
            }
        }
    }

    @Test("A rejected checkout uses no redemption")
    func rejectionUsesNone() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            var wrong = CheckoutBody.filled(for: basket, coupon: "FRST", total: 725)
            wrong.phone = "1"
            #expect(try await shop.server.checkout(wrong, key: "k").status == 422)
            #expect(
                try await shop.server.checkout(.filled(for: basket, coupon: "FRST", total: 1), key: "k").status == 409)
            #expect(try await shop.server.validate(.filled(for: basket, coupon: "FRST", total: 725)).status == 200)
            #expect(
                try await shop.database.psql(
                    """
                    select redeemed, (select count(*) from coupon_uses) from coupon_redemptions
                    where coupon_id = 1
                    """) == "0|0"
            )
            #expect(
                try await shop.server.checkout(.filled(for: basket, coupon: "FRST", total: 725), key: "k").status == 201
            )
            #expect(
                try await shop.database.psql(
                    """
                    select redeemed, (select count(distinct order_id) from coupon_uses) from coupon_redemptions
                    where coupon_id = 1
                    """)
                    == "1|1")
        }
    }

    @Test(
        "A cancelled order returns its redemption exactly once, in total and for the guest",
        arguments: ["FRST", "FOLLOW"])
    func cancelReturnsRedemption(coupon: String) async throws {
        try await TestShop.run { shop in
            try await shop.database.psql("update coupons set redemption_limit = 1 where key = '\(coupon)'")
            let total: Int64 = coupon == "FRST" ? 725 : 0
            let redeemed =
                """
                select redeemed, (select count(distinct order_id) from coupon_uses)
                from coupon_redemptions join coupons on id = coupon_id where key = '\(coupon)'
                """
            let first = try await shop.server.order(coupon: coupon, total: total)
            #expect(try await shop.database.psql(redeemed) == "1|1")
            #expect(try await shop.server.cancel(first).status == 200)
            #expect(try await shop.database.psql(redeemed) == "0|0")
            let second = try await shop.server.order(coupon: coupon, total: total)
            #expect(try await shop.database.psql(redeemed) == "1|1")
            // A second cancellation of the first order, and 20 concurrent ones of the second, return nothing more.
            #expect(try await shop.server.cancel(first).status == 200)
            #expect(try await shop.database.psql(redeemed) == "1|1")
            let replies = try await inParallel(20) { _ in try await shop.server.cancel(second) }
            #expect(replies.allSatisfy { $0.status == 200 })
            #expect(try await shop.database.psql(redeemed) == "0|0")
        }
    }
}
