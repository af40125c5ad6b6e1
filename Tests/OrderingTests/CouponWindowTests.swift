// Coupon windows at their boundaries, the parameters of each error, and the order of the reasons.
import Ordering
import Testing

@Suite("Coupon windows")
struct CouponWindowTests {
    // 2026-11-01T04:00:00Z is midnight in New York. The day has 25 hours and ends at 05:00Z on 2 November.
    private static let startOfDay: Int64 = 1_793_505_600_000_000
    private static let endOfDay: Int64 = startOfDay + 25 * 3_600_000_000

    @Test(
        "A coupon window includes its start and excludes its end",
        arguments: [
            (startOfDay - 1, "coupon coupon_not_started"), (startOfDay, "accept"), (startOfDay + 1, "accept"),
            (startOfDay + 24 * 3_600_000_000, "accept"),
            (endOfDay - 1, "accept"), (endOfDay, "coupon coupon_expired"), (endOfDay + 1, "coupon coupon_expired"),
            (.min, "coupon coupon_not_started"),
            (.max, "coupon coupon_expired"),
        ])
    func window(now: Int64, expected: String) throws {
        var shop = CheckoutFixture()
        shop.coupon = try .test("DAY", startsAt: Self.startOfDay, endsAt: Self.endOfDay)
        shop.now = Instant(microseconds: now)
        #expect(try shop.decide(expectedTotal: 1706).summaries == [expected])
    }

    @Test("A coupon window may have no start or no end, and a window that ends at its start is never open")
    func openWindows() throws {
        var shop = CheckoutFixture()
        for now in [Int64.min, -1, 0, Self.startOfDay - 1, Self.startOfDay, .max] {
            shop.now = Instant(microseconds: now)
            shop.coupon = try .test("DAY", startsAt: Self.startOfDay)
            #expect(
                try shop.decide(expectedTotal: 1706).summaries == [
                    now < Self.startOfDay ? "coupon coupon_not_started" : "accept"
                ])
            shop.coupon = try .test("DAY", endsAt: Self.startOfDay)
            #expect(
                try shop.decide(expectedTotal: 1706).summaries == [
                    now < Self.startOfDay ? "accept" : "coupon coupon_expired"
                ])
            shop.coupon = try .test("DAY", startsAt: Self.startOfDay, endsAt: Self.startOfDay)
            #expect(try shop.decide(expectedTotal: 1706).summaries != ["accept"])
            shop.coupon = try .test("DAY")
            #expect(try shop.decide(expectedTotal: 1706).summaries == ["accept"])
        }
    }

    @Test("A coupon error has the start, the end, the limit or the missing amount as its parameter")
    func parameters() throws {
        let basket = PricedBasket(CheckoutFixture.basket([(2001, 2), (4001, 1)]), menu: CheckoutFixture.menu())
        func judge(_ coupon: Coupon) -> FieldError? {
            let result = coupon.discount(
                on: basket, birthday: nil, now: Instant(microseconds: 0), today: CheckoutFixture.date(2026, 9, 16))
            if case .failure(let error) = result { return error } else { return nil }
        }
        #expect(
            judge(try .test("A", startsAt: Self.startOfDay))
                == FieldError(.coupon, .couponNotStarted, ["startsAt": .text("2026-11-01T04:00:00.000Z")]))
        #expect(
            judge(try .test("A", endsAt: 0))
                == FieldError(.coupon, .couponExpired, ["endsAt": .text("1970-01-01T00:00:00.000Z")]))
        #expect(
            judge(try .test("A", limit: 10, redeemed: 10))
                == FieldError(.coupon, .couponExhausted, ["limit": .integer(10)]))
        #expect(
            judge(try .test("A", limit: 10, redeemed: 11))
                == FieldError(.coupon, .couponExhausted, ["limit": .integer(10)]))
        #expect(judge(try .test("A", limit: 10, redeemed: 9)) == nil)
        #expect(
            judge(try .test("A", minimum: 1896))
                == FieldError(.coupon, .couponMinimumNotReached, ["missingAmount": .integer(1)]))
        #expect(judge(try .test("A", minimum: 1895)) == nil)
    }

    @Test("Only the first reason against a coupon is reported, in the order window, day, redemptions, basket")
    func precedence() throws {
        var shop = CheckoutFixture()
        shop.now = Instant(microseconds: 100)
        func outcome(
            _ startsAt: Int64?, _ endsAt: Int64?, _ condition: CouponCondition, _ redeemed: Int64, _ minimum: Int64?
        ) throws
            -> [String]
        {
            shop.coupon = try .test(
                "A", .freeItem(CategoryID(rawValue: 300)), condition: condition, startsAt: startsAt, endsAt: endsAt,
                minimum: minimum,
                limit: 1, redeemed: redeemed)
            return try shop.decide(expectedTotal: 1895).summaries
        }
        #expect(try outcome(101, 50, .lastDayOfMonth, 1, 5000) == ["coupon coupon_not_started"])
        #expect(try outcome(nil, 50, .lastDayOfMonth, 1, 5000) == ["coupon coupon_expired"])
        #expect(try outcome(nil, nil, .lastDayOfMonth, 1, 5000) == ["coupon coupon_not_today"])
        #expect(try outcome(nil, nil, .none, 1, 5000) == ["coupon coupon_exhausted"])
        #expect(try outcome(nil, nil, .none, 0, 5000) == ["coupon coupon_minimum_not_reached"])
        #expect(try outcome(nil, nil, .none, 0, nil) == ["coupon coupon_needs_item"])
    }
}
