// The coupons FRST, LAST, FOLLOW and HAPPY with their conditions, and every reason to reject a coupon.
import Ordering
import Testing

@Suite("Coupons FRST, LAST, FOLLOW and HAPPY")
struct CouponTests {
    @Test("FRST takes 10 % off the first order of a phone number or email address, and is rejected for later orders")
    func firstOrder() throws {
        var shop = CheckoutFixture()
        shop.coupon = try .frst()
        // 2 × 805 + 285 = 1895. 1895 × 0.9 = 1705.5, rounded half up.
        let order = try #require(try shop.decide(expectedTotal: 1706).order)
        #expect((order.subtotal.minorUnits, order.discount.minorUnits, order.total.minorUnits) == (1895, 189, 1706))
        #expect(
            order.coupon?.redemption
                == CouponRedemption(
                    subject: .firstOrder, period: 0, number: 1,
                    guestKeys: ["tel:+15550100199", "mailto:ann@example.com"]))

        shop.history = GuestHistory(hasOrdered: true, redemptionCount: 0, usedNumbers: [])
        #expect(try shop.decide(expectedTotal: 1706).summaries == ["coupon coupon_first_order_only"])
        // The database does not count cancelled or rejected orders.
        shop.history = GuestHistory(hasOrdered: false, redemptionCount: 0, usedNumbers: [])
        #expect(try shop.decide(expectedTotal: 1706).summaries == ["accept"])
    }

    @Test("LAST takes 15 % off on the last day of each month, also in leap years, and is rejected on other days")
    func lastDayOfMonth() throws {
        var shop = CheckoutFixture()
        shop.coupon = try .last()
        for year in [1900, 2000, 2026, 2028] {
            for month in 1...12 {
                for day in 1...LocalDate.daysInMonth(month, ofYear: year) {
                    shop.today = CheckoutFixture.date(year, month, day)
                    let isLast = LocalDate(year: year, month: month, day: day + 1) == nil
                    // 1895 × 0.85 = 1610.75
                    #expect(
                        try shop.decide(expectedTotal: 1611).summaries == [
                            isLast ? "accept" : "coupon coupon_not_today"
                        ], "\(shop.today)")
                }
            }
        }
        #expect(try #require(try shop.decide(expectedTotal: 1611).order).coupon?.redemption == nil)
    }

    @Test("LAST is judged by the local date of the shop")
    func localDate() throws {
        var shop = CheckoutFixture()
        shop.coupon = try .last()
        shop.today = CheckoutFixture.date(2026, 10, 31)
        #expect(try shop.decide(expectedTotal: 1611).summaries == ["accept"])
        shop.today = CheckoutFixture.date(2026, 11, 1)
        #expect(try shop.decide(expectedTotal: 1611).summaries == ["coupon coupon_not_today"])
    }

    @Test("FOLLOW makes one unit of the cheapest burger free by its current price, also in a set")
    func freeBurger() throws {
        var shop = CheckoutFixture()
        shop.coupon = try .follow()
        // By its regular price, 2005 (918) costs more than 2001 (805). 2005 now costs 826, so 805 is the lowest
        // price.
        shop.basket = CheckoutFixture.basket([(2004, 2), (2005, 1), (2001, 3), (4001, 1)])
        let order = try #require(try shop.decide(expectedTotal: 2 * 918 + 826 + 2 * 805 + 285).order)
        #expect(order.discount.minorUnits == 805)
        #expect(order.lines.map(\.discount.minorUnits) == [0, 0, 805, 0])
        #expect(order.coupon?.redemption?.number == 1)

        // The current price decides: 918 × 0.9 = 826 is below 918.
        shop.basket = CheckoutFixture.basket([(2004, 1), (2005, 1)])
        #expect(try #require(try shop.decide(expectedTotal: 918).order).lines.map(\.discount.minorUnits) == [0, 826])

        // In a set: 999 × 0.9 = 899 is below 918.
        shop.basket = CheckoutFixture.basket(
            [(2004, 1), (4001, 1)], sets: [(400, [(1002, 1), (1003, 1)]), (200, [(2002, 3)])])
        let inSet = try #require(try shop.decide(expectedTotal: 918 + 285 + 1799 + 1679 + 2 * 899).order)
        #expect(inSet.lines.map(\.discount.minorUnits) == [0, 0])
        #expect(inSet.sets.map { $0.items.map(\.discount.minorUnits) } == [[0, 0], [899]])
    }

    @Test("FOLLOW makes the first of several burgers with the same price free, and lines come before sets")
    func equalPrices() throws {
        var shop = CheckoutFixture()
        shop.coupon = try .follow()
        // 2002 and 2003 cost 899 each.
        shop.basket = CheckoutFixture.basket([(2003, 1)], sets: [(200, [(2002, 3)])])
        let order = try #require(try shop.decide(expectedTotal: 3 * 899).order)
        #expect(
            order.lines.map(\.discount.minorUnits) == [899]
                && order.sets.flatMap(\.items).map(\.discount.minorUnits) == [0])
        shop.basket = CheckoutFixture.basket([(2004, 1), (4001, 1), (2003, 1)], sets: [])
        shop.menu = CheckoutFixture.menu(prices: [2004: 899])
        #expect(
            try #require(try shop.decide(expectedTotal: 285 + 899).order).lines.map(\.discount.minorUnits) == [
                899, 0, 0,
            ])
    }

    @Test("FOLLOW is rejected without a burger in the basket, and after the guest has used it")
    func freeBurgerRejections() throws {
        var shop = CheckoutFixture()
        shop.coupon = try .follow()
        shop.basket = CheckoutFixture.basket([(1001, 1), (3001, 1)])
        #expect(try shop.decide(expectedTotal: 2158).summaries == ["coupon coupon_needs_item"])
        shop.basket = CheckoutFixture.basket([(2001, 1)])
        #expect(try shop.decide(expectedTotal: 0).summaries == ["accept"])
        shop.history = GuestHistory(hasOrdered: true, redemptionCount: 1, usedNumbers: [1])
        #expect(try shop.decide(expectedTotal: 0).summaries == ["coupon coupon_already_used"])
        shop.history = GuestHistory(hasOrdered: true, redemptionCount: 0, usedNumbers: [])
        #expect(try shop.decide(expectedTotal: 0).summaries == ["accept"])
    }

    @Test("HAPPY takes 15 % off on the birthday in the form, once per guest and calendar year")
    func birthdayCoupon() throws {
        var shop = CheckoutFixture()
        shop.coupon = try .happy()
        #expect(try shop.decide(expectedTotal: 1611).summaries == ["coupon coupon_needs_birthday"])
        #expect(try shop.decide(expectedTotal: 1611, birthday: " ").summaries == ["coupon coupon_needs_birthday"])
        #expect(try shop.decide(expectedTotal: 1611, birthday: "09-15").summaries == ["coupon coupon_not_today"])
        #expect(try shop.decide(expectedTotal: 1611, birthday: "09-31").summaries == ["birthday invalid_birthday"])
        let order = try #require(try shop.decide(expectedTotal: 1611, birthday: "09-16").order)
        #expect(order.coupon?.redemption?.period == 2026)
        shop.history = GuestHistory(hasOrdered: true, redemptionCount: 1, usedNumbers: [1])
        #expect(try shop.decide(expectedTotal: 1611, birthday: "09-16").summaries == ["coupon coupon_already_used"])
        shop.history = GuestHistory(hasOrdered: true, redemptionCount: 0, usedNumbers: [])
        shop.today = CheckoutFixture.date(2027, 9, 16)
        #expect(
            try #require(try shop.decide(expectedTotal: 1611, birthday: "09-16").order).coupon?.redemption?.period
                == 2027)
    }

    @Test(
        "A birthday on 29 February falls on 28 February in common years",
        arguments: [
            ("02-29", 2028, 2, 29, true), ("02-29", 2028, 2, 28, false), ("02-29", 2028, 3, 1, false),
            ("02-29", 2027, 2, 28, true),
            ("02-29", 2027, 3, 1, false),
            ("02-29", 2100, 2, 28, true), ("02-29", 2000, 2, 28, false), ("02-28", 2028, 2, 28, true),
            ("02-28", 2028, 2, 29, false),
            ("02-28", 2027, 2, 28, true),
            ("12-31", 2026, 12, 31, true), ("12-31", 2027, 1, 1, false), ("01-01", 2027, 1, 1, true),
            ("01-31", 2026, 2, 28, false),
        ])
    func birthday(text: String, year: Int, month: Int, day: Int, expected: Bool) throws {
        #expect(try Birthday.parse(text).get()?.falls(on: CheckoutFixture.date(year, month, day)) == expected)
    }

    @Test("Every birthday falls on exactly one day of each year")
    func everyBirthdayOnce() throws {
        for year in [1900, 2000, 2027, 2028] {
            for month in 1...12 {
                for day in 1...LocalDate.daysInMonth(month, ofYear: 2028) {
                    let birthday = try #require(Birthday(month: month, day: day))
                    let falls = (1...12).reduce(0) { count, month in
                        count
                            + (1...LocalDate.daysInMonth(month, ofYear: year)).count {
                                birthday.falls(on: CheckoutFixture.date(year, month, $0))
                            }
                    }
                    #expect(falls == 1, "\(birthday.text) in \(year)")
                }
            }
        }
    }

    @Test("A use gets the lowest free number, and a guest without a free number is rejected")
    func numbers() throws {
        let coupon = try Coupon.test("TWICE", guestLimit: 3)
        func number(_ uses: Int, _ taken: [Int]) throws -> Int? {
            try coupon.redemption(
                after: GuestHistory(hasOrdered: true, redemptionCount: uses, usedNumbers: taken), guestKeys: ["tel:+1"],
                today: CheckoutFixture.date(2026, 1, 1)
            ).get()?.number
        }
        #expect(try number(0, []) == 1)
        #expect(try number(1, [1]) == 2)
        #expect(try number(1, [2]) == 1)
        #expect(try number(2, [3, 1]) == 2)
        #expect(throws: FieldError(.coupon, .couponAlreadyUsed, ["limit": .integer(3)])) { try number(3, [1, 2, 3]) }
        // The histories of two guest keys are merged, so that both may have used the same number.
        #expect(throws: FieldError(.coupon, .couponAlreadyUsed, ["limit": .integer(3)])) { try number(3, [1, 2]) }
        #expect(throws: FieldError(.coupon, .couponAlreadyUsed, ["limit": .integer(3)])) { try number(2, [1, 2, 3]) }
    }

    @Test("A quote names the coupon's conditions on the guest history, which it does not judge")
    func conditions() throws {
        #expect(try Coupon.frst().guestHistoryConditions == ["first_order"])
        #expect(try Coupon.last().guestHistoryConditions == [])
        #expect(try Coupon.follow().guestHistoryConditions == ["once_per_guest"])
        #expect(try Coupon.happy().guestHistoryConditions == ["once_per_guest_and_year"])
        #expect(try Coupon.test("X", guestLimit: 2).guestHistoryConditions == ["limited_per_guest"])
        #expect(
            try Coupon.test("X", guestLimit: 2, period: .calendarYear).guestHistoryConditions == [
                "limited_per_guest_and_year"
            ])
    }

    @Test("A first-order coupon counts its use without a time limit, also with a guest period of a calendar year")
    func firstOrderPeriod() throws {
        let coupon = try Coupon.test("X", condition: .firstOrder, guestLimit: 5, period: .calendarYear)
        #expect(coupon.period(on: CheckoutFixture.date(2026, 1, 1)) == 0)
    }
}
