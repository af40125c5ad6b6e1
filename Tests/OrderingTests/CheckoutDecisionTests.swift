// The decision of one checkout: acceptance, rejections and their order, and what an answer must not reveal.
import Ordering
import TestBasics
import Testing

@Suite("The decision of a checkout")
struct CheckoutDecisionTests {
    @Test("A valid checkout is accepted with the current prices")
    func placed() throws {
        var shop = CheckoutFixture()
        shop.basket = CheckoutFixture.basket([(2003, 2), (1001, 1)], sets: [(200, [(2002, 3)])], version: 12)
        // 2 × 899 + 1699 + 3 × 899
        let order = try #require(try shop.decide(expectedTotal: 6194) { $0.comment = "ring twice" }.order)
        #expect(order.id == CheckoutFixture.basketID(1))
        #expect(order.basketVersion == 12)
        #expect(order.key.text == "try-1" && order.fingerprint == [1])
        #expect(order.lines.map(\.menuItemID.rawValue) == [2003, 1001])
        #expect(order.lines.map(\.total.minorUnits) == [1798, 1699])
        #expect(order.lines.map(\.regularUnitPrice.minorUnits) == [999, 1699])
        #expect(order.sets.map(\.total.minorUnits) == [2697])
        #expect((order.subtotal.minorUnits, order.discount.minorUnits, order.total.minorUnits) == (6194, 0, 6194))
        #expect(order.coupon == nil && order.etaMinutes == 15 && order.placedAt == shop.now)
        #expect(order.details.comment?.text == "ring twice")
    }

    @Test("A checkout with an error in every field reports all of them in the documented order")
    func allErrors() throws {
        var shop = CheckoutFixture()
        shop.menu = CheckoutFixture.menu(soldOut: [4001, 2001, 1003, 2002, 1002])
        shop.basket = CheckoutFixture.basket(
            [(4001, 1), (3001, 1), (2001, 1)], sets: [(400, [(1003, 1), (1002, 1)]), (200, [(2002, 3)])])
        let decision = try shop.decide(expectedTotal: nil) {
            ($0.name, $0.phone, $0.email, $0.address, $0.comment, $0.coupon, $0.birthday) = (
                "1", "555", "ann", "x", "\u{0}", "NOSUCH", "13-01"
            )
        }
        #expect(
            decision.summaries == [
                "name invalid_name", "phone invalid_phone", "email invalid_email", "address invalid_address",
                "comment invalid_comment",
                "coupon coupon_unknown",
                "birthday invalid_birthday", "expectedTotal required", "lines/2001 item_sold_out",
                "lines/4001 item_sold_out",
                "sales/200/items/2002 item_sold_out", "sales/400/items/1002 item_sold_out",
                "sales/400/items/1003 item_sold_out",
            ])
    }

    @Test("The form, the coupon and the basket are judged together, and their errors are reported together")
    func judgedTogether() throws {
        var shop = CheckoutFixture()
        shop.coupon = try .test("OLD", endsAt: 0)
        #expect(
            try shop.decide(expectedTotal: 1) { $0.phone = "1" }.summaries == [
                "phone invalid_phone", "coupon coupon_expired",
            ])
        shop.coupon = try .happy()
        #expect(
            try shop.decide(expectedTotal: 1, birthday: "01-01") { $0.name = nil }.summaries == [
                "name required", "coupon coupon_not_today",
            ])
        #expect(
            try shop.decide(expectedTotal: 1) { $0.name = " " }.summaries == [
                "name required", "coupon coupon_needs_birthday",
            ])
        shop.coupon = nil
        shop.basket = CheckoutFixture.basket([])
        #expect(
            try shop.decide(expectedTotal: 0) { $0.name = nil }.summaries == ["name required", "basket basket_empty"])
    }

    @Test("An empty basket is reported once, with the coupon errors that do not depend on the basket")
    func emptyBasket() throws {
        var shop = CheckoutFixture()
        shop.basket = CheckoutFixture.basket([])
        for coupon in [try Coupon.follow(), try .test("MIN", minimum: 100), try .frst()] {
            shop.coupon = coupon
            #expect(try shop.decide(expectedTotal: 0).summaries == ["basket basket_empty"])
        }
        shop.coupon = try .test("OLD", endsAt: 0)
        #expect(try shop.decide(expectedTotal: 0).summaries == ["coupon coupon_expired", "basket basket_empty"])
    }

    @Test("An item that the menu does not have is rejected as sold out")
    func unknownItem() throws {
        var shop = CheckoutFixture()
        shop.basket = CheckoutFixture.basket([(9999, 1)])
        #expect(try shop.decide(expectedTotal: 1).summaries == ["lines/9999 item_sold_out"])
    }

    @Test("A coupon whose key differs from the requested key is rejected as unknown")
    func otherCoupon() throws {
        var shop = CheckoutFixture()
        shop.coupon = try .frst()
        #expect(try shop.decide(expectedTotal: 1895) { $0.coupon = "LAST" }.summaries == ["coupon coupon_unknown"])
        #expect(try shop.decide(expectedTotal: 1895) { $0.coupon = nil }.order?.coupon == nil)
        #expect(try shop.decide(expectedTotal: 1706) { $0.coupon = " fRsT " }.order?.coupon?.key.text == "FRST")
    }

    @Test("An ordered basket is judged before the form, as a replay, a reused key or an already ordered basket")
    func orderedBasket() throws {
        var shop = CheckoutFixture()
        shop.basket = Basket(
            id: CheckoutFixture.basketID(1), state: .ordered, version: 8, currency: "USD", createdLineCount: 0,
            lines: [], sets: [])
        shop.placedOrder = PlacedOrder(key: try CheckoutIdempotencyKey.parse("try-1").get(), fingerprint: [1])
        for total in [Int64?.none, 1895, -1] {
            #expect(Checkout.decide(try shop.draft(expectedTotal: total), shop.facts) == .replay)
            #expect(
                Checkout.decide(try shop.draft(fingerprint: [2], expectedTotal: total), shop.facts)
                    == .reject(.idempotencyKeyReused))
            #expect(
                Checkout.decide(try shop.draft(key: "try-2", expectedTotal: total), shop.facts)
                    == .reject(.basketAlreadyOrdered))
            #expect(
                Checkout.decide(try shop.draft(key: "TRY-1", fingerprint: [2], expectedTotal: total), shop.facts)
                    == .reject(.basketAlreadyOrdered))
        }
        shop.placedOrder = nil
        #expect(try shop.decide(expectedTotal: 1895) == .reject(.basketAlreadyOrdered))
        shop.basket = nil
        #expect(try shop.decide(expectedTotal: nil) { $0.name = nil } == .reject(.basketNotFound))
    }

    @Test("A changed price is reported for each line with the old and new price, and the new quote is accepted")
    func priceChanged() throws {
        var shop = CheckoutFixture()
        shop.basket = CheckoutFixture.basket([(4001, 1), (2001, 2), (3001, 1)], sets: [(400, [(1003, 1), (1002, 1)])])
        let before = try #require(try shop.decide(expectedTotal: 285 + 1610 + 459 + 1679 + 1799).order)
        shop.menu = CheckoutFixture.menu(prices: [4001: 300, 2001: 700, 1002: 1000])
        guard
            case .reject(.priceChanged(let changes, let quote)) = try shop.decide(
                expectedTotal: before.total.minorUnits)
        else {
            Issue.record("The checkout did not report the price change.")
            return
        }
        let expected: [(FieldPath, Int64, Int64)] = [
            (.line(LineID(rawValue: 2001)), 805, 700), (.line(LineID(rawValue: 4001)), 285, 300),
            (.saleItem(400, 1002), 1799, 900),
        ]
        #expect(
            changes
                == expected.map { path, old, new in
                    .amount(path, old: CheckoutFixture.money(old), new: CheckoutFixture.money(new), cause: .menuPrice)
                })
        #expect(quote.total.minorUnits == 300 + 1400 + 459 + 1679 + 900)
        let after = try #require(try shop.decide(expectedTotal: quote.total.minorUnits).order)
        #expect(after.quote == quote)
    }

    @Test("A checkout whose changed prices add up to the expected total is accepted")
    func equalTotal() throws {
        var shop = CheckoutFixture()
        shop.menu = CheckoutFixture.menu(prices: [4001: 283, 2001: 806])
        #expect(try shop.decide(expectedTotal: 1895).summaries == ["accept"])
    }

    @Test(
        "A wrong expected total without a changed price is reported as a change of the total",
        arguments: [0, 1, 1894, 1896, 1_000_000_000_000_000])
    func totalChanged(expected: Int64) throws {
        guard
            case .reject(.priceChanged(let changes, let quote)) = try CheckoutFixture().decide(expectedTotal: expected)
        else {
            Issue.record("The checkout did not report the wrong total.")
            return
        }
        #expect(
            changes == [
                .amount(
                    .form(.expectedTotal), old: CheckoutFixture.money(expected), new: CheckoutFixture.money(1895),
                    cause: .total(.total))
            ])
        #expect(quote.total.minorUnits == 1895)
    }

    @Test("The expected total is compared after the coupon's discount")
    func totalAfterCoupon() throws {
        var shop = CheckoutFixture()
        shop.coupon = try .frst()
        #expect(try shop.decide(expectedTotal: 1895).summaries == ["price_changed"])
        #expect(try shop.decide(expectedTotal: 1706).summaries == ["accept"])
    }

    @Test("A checkout with an error gets the same answer for every guest history, so that the history stays private")
    func guestHistoryIsPrivate() throws {
        let pasts = [
            GuestHistory.none, GuestHistory(hasOrdered: true, redemptionCount: 0, usedNumbers: []),
            GuestHistory(hasOrdered: true, redemptionCount: 1, usedNumbers: [1]),
            GuestHistory(hasOrdered: true, redemptionCount: 9, usedNumbers: [1, 2, 3]),
        ]
        let mistakes: [(String, (inout CheckoutForm) -> Void)] = [
            ("total", { $0.expectedTotal = 1 }), ("no total", { $0.expectedTotal = nil }),
            ("total below zero", { $0.expectedTotal = -1 }),
            ("name", { $0.name = "1" }),
            ("phone", { $0.phone = "1" }), ("email", { $0.email = "1" }), ("address", { $0.address = "1" }),
            ("comment", { $0.comment = "\u{0}" }),
        ]
        var answers = 0
        for coupon in [try Coupon.frst(), try .last(), try .follow(), try .happy(), try .test("THRICE", guestLimit: 3)]
        {
            var shop = CheckoutFixture()
            shop.today = CheckoutFixture.date(2026, 9, 30)
            shop.coupon = coupon
            let right = try #require(
                Checkout.validate(try shop.draft(expectedTotal: nil, birthday: "09-30").form, shop.facts).quote
            ).total
                .minorUnits
            #expect(try shop.decide(expectedTotal: right, birthday: "09-30").summaries == ["accept"])
            for (name, mistake) in mistakes {
                let decisions = try pasts.map { past in
                    shop.history = past
                    return try shop.decide(expectedTotal: right, birthday: "09-30", edit: mistake)
                }
                #expect(Set(decisions).count == 1, "\(coupon.key.text) with a wrong \(name)")
                answers += 1
            }
            let forms = try pasts.map { past in
                shop.history = past
                return Checkout.validate(try shop.draft(expectedTotal: right, birthday: "09-30").form, shop.facts)
            }
            #expect(Set(forms).count == 1, "the live form with \(coupon.key.text)")
            shop.history = pasts[3]
            #expect(
                try shop.decide(expectedTotal: right, birthday: "09-30").summaries != ["accept"]
                    || (coupon.guestLimit == nil && coupon.condition != .firstOrder))
        }
        #expect(answers == 40)
    }

    @Test("A random draft reports all errors in order, and a second decision gives the same result")
    func randomDrafts() throws {
        var random = SeededRandom()
        for _ in 0..<500 {
            var shop = CheckoutFixture()
            let soldOut = Set(CheckoutFixture.itemIDs.filter { _ in Int.random(in: 0..<4, using: &random) == 0 })
            shop.menu = CheckoutFixture.menu(soldOut: soldOut)
            let ids = CheckoutFixture.itemIDs.shuffled(using: &random).prefix(Int.random(in: 0...8, using: &random))
            shop.basket = CheckoutFixture.basket(
                ids.map { ($0, 1) }, sets: Bool.random(using: &random) ? [(200, [(2002, 3)])] : [])
            shop.coupon = Bool.random(using: &random) ? try .test("OLD", endsAt: 0) : nil
            let isNamed = Bool.random(using: &random)
            let isReachable = Bool.random(using: &random)
            let draft = try shop.draft(expectedTotal: 1, phone: isReachable ? "5550100199" : "1") {
                if !isNamed { $0.name = nil }
            }
            let decision = Checkout.decide(draft, shop.facts)
            var expected: [String] = []
            if !isNamed { expected.append("name required") }
            if !isReachable { expected.append("phone invalid_phone") }
            if shop.coupon != nil { expected.append("coupon coupon_expired") }
            if shop.basket?.isEmpty == true { expected.append("basket basket_empty") }
            expected += ids.filter(soldOut.contains).sorted().map { "lines/\($0) item_sold_out" }
            if soldOut.contains(2002), shop.basket?.sets.isEmpty == false {
                expected.append("sales/200/items/2002 item_sold_out")
            }
            #expect(decision.summaries == (expected.isEmpty ? ["price_changed"] : expected), "\(random)")
            #expect(decision == Checkout.decide(draft, shop.facts), "\(random)")
        }
    }

    @Test("An idempotency key has 1 to 255 printable characters")
    func keys() throws {
        typealias Key = CheckoutIdempotencyKey
        #expect(Key.parse(nil) == .failure(.missing))
        #expect(Key.parse("") == .failure(.missing))
        for bad in [
            " ", "a\nb", "a\u{7F}", "\u{0}", "é", String(repeating: "k", count: 256),
            String(repeating: "k", count: 1_000_000),
        ] {
            #expect(Key.parse(bad) == .failure(.invalid))
        }
        for good in ["a", "a b", "~!\"", String(repeating: "k", count: 255)] {
            #expect(try Key.parse(good).get().text == good)
        }
        #expect(CheckoutIdempotencyKey.ParseError.missing.rawValue == "idempotency_key_missing")
    }
}
