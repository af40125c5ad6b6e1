// Stored totals, tips, and the expected totals of a checkout, which are compared line by line.
import Ordering
import Testing

@Suite("Totals and tips")
struct TotalsTests {
    @Test("Stored totals that do not add up are rejected, and an included total does not count in the sum")
    func stored() {
        let whole = [
            TotalLine(.subtotal, title: "Subtotal", amount: 1000),
            TotalLine(.discount, code: "A", title: "A", amount: -100),
            TotalLine(.discount, code: "B", title: "B", amount: -50),
            TotalLine(.tip, title: "Tip", amount: 70, isIncluded: true, rate: "8.875"),
            TotalLine(.total, title: "Total", amount: 850),
        ]
        let totals = Totals(stored: whole)
        #expect(totals?.discount.minorUnits == 150 && totals?.total.minorUnits == 850 && totals?.all == whole)
        for (index, total) in whole.enumerated() where !total.isIncluded {
            for amount in [total.amount + 1, -total.amount, .max, .min] {
                var wrong = whole
                wrong[index] = TotalLine(total.key.kind, code: total.key.code, title: total.title, amount: amount)
                #expect(Totals(stored: wrong) == nil, "\(total.key) \(amount)")
            }
            var short = whole
            short.remove(at: index)
            #expect(Totals(stored: short) == nil, "without \(total.key)")
        }
        #expect(
            Totals(stored: whole.reversed()) == nil && Totals(stored: []) == nil && Totals(stored: [whole[0]]) == nil)
    }

    @Test("A tip is accepted up to the shop's percentage of the subtotal, rounded down, and rejected above it")
    func tip() throws {
        var shop = CheckoutFixture()
        for (percent, highest) in [(100, 1895), (15, 284), (0, 0), (1000, 18_950)] as [(Int, Int64)] {
            shop.menu = CheckoutFixture.menu(terms: ShopTerms(tipLimitPercent: percent))
            for tip in [0, 1, highest] where tip <= highest {
                let order = try #require(
                    try shop.decide(expectedTotal: 1895 + tip) { $0.tip = tip }.order, "\(percent) % \(tip)")
                #expect(order.totals.all.first { $0.key.kind == .tip }?.amount == (tip == 0 ? nil : tip))
            }
            for tip in [-1, highest + 1, .max, .min, Money.highest.minorUnits, Money.highest.minorUnits + 1] {
                let refused = FieldError(.tip, .tipOutOfRange, ["maximum": .integer(highest)])
                // Reported once, also with other errors in the form.
                for name in ["Ann Lee", "1"] {
                    guard
                        case .reject(.validationFailed(let errors)) = try shop.decide(
                            expectedTotal: 1895, edit: { ($0.tip, $0.name) = (tip, name) })
                    else { throw refused }
                    #expect(
                        errors.all.filter { $0.path == .form(.tip) } == [refused]
                            && errors.all.count == (name == "1" ? 2 : 1))
                }
                let live = Checkout.validate(CheckoutForm(tip: tip), shop.facts)
                #expect(live.fields == [ValidatedField(.tip, .failure(refused))])
                #expect(live.quote?.total.minorUnits == 1895, "a rejected tip is not part of the quote")
            }
        }
        #expect(
            Checkout.validate(CheckoutForm(tip: 5), shop.facts).fields == [ValidatedField(.tip, .success(.integer(5)))])
        shop.basket = nil
        #expect(Checkout.validate(CheckoutForm(tip: -5), shop.facts).errors.map(\.code) == [.tipOutOfRange])
        #expect(Checkout.validate(CheckoutForm(tip: 5), shop.facts).errors == [])
    }

    @Test("A coupon does not reduce the tip, and the tip limit is a share of the subtotal before the coupon")
    func couponAndTip() throws {
        var shop = CheckoutFixture()
        shop.coupon = try .test("ALL", .percent(CheckoutFixture.percent(100)))
        let order = try #require(try shop.decide(expectedTotal: 1895) { $0.tip = 1895 }.order)
        #expect(order.totals.all.map(\.amount) == [1895, -1895, 1895, 1895])
        #expect(order.totals.all.map(\.title) == ["Subtotal", "ALL", "Tip", "Total"])
        #expect(order.lines.map(\.discount.minorUnits) == [1610, 285])
        #expect(try shop.decide(expectedTotal: 0) { $0.tip = 1896 }.summaries == ["tip tip_out_of_range"])
    }

    @Test("Errors are reported in the documented order: tip, expectedTotal, currency, expectedTotals, basket")
    func order() throws {
        var shop = CheckoutFixture()
        shop.basket = CheckoutFixture.basket([])
        #expect(
            try shop.decide(expectedTotal: -1) {
                ($0.birthday, $0.tip, $0.currency) = ("x", -1, "?")
                $0.expectedTotals = [RawTotal(kind: "?", amount: 1)]
            }.summaries == [
                "birthday invalid_birthday", "tip tip_out_of_range", "expectedTotal invalid_total",
                "currency invalid_currency",
                "expectedTotals invalid_total", "basket basket_empty",
            ])
        let fields: [FormField] = [.birthday, .tip, .expectedTotal, .currency, .expectedTotals]
        let others: [FieldPath] = [
            .total(TotalKey(.subtotal)), .total(TotalKey(.discount, code: "A")),
            .total(TotalKey(.discount, code: "B")), .total(TotalKey(.tip)), .total(TotalKey(.total)), .basket,
            .line(LineID(rawValue: 1)),
        ]
        let paths = fields.map(FieldPath.form) + others
        #expect(paths.shuffled().sorted() == paths)
        #expect(
            paths[5...8].map(\.description) == [
                "totals/subtotal", "totals/discount/A", "totals/discount/B", "totals/tip",
            ])
    }
}

@Suite("Expected totals")
struct ExpectedTotalsTests {
    private static func rawTotals(_ amounts: [(String, String?, Int64)]) -> [RawTotal] {
        amounts.map { RawTotal(kind: $0.0, code: $0.1, amount: $0.2) }
    }

    private static func changes(_ decision: CheckoutDecision) -> [PriceChange]? {
        if case .reject(.priceChanged(let changes, _)) = decision { changes } else { nil }
    }

    private static func change(_ key: TotalKey, _ old: Int64, _ new: Int64) -> PriceChange {
        .total(key: key, old: old, new: new)
    }

    @Test(
        "A checkout with the quote's totals in any order is accepted, and each different total is reported"
    )
    func comparison() throws {
        var shop = CheckoutFixture()
        shop.coupon = try .frst()
        func decide(_ list: [(String, String?, Int64)], total: Int64 = 1806, tip: Int64 = 100) throws
            -> CheckoutDecision
        {
            try shop.decide(expectedTotal: total) { ($0.tip, $0.expectedTotals) = (tip, Self.rawTotals(list)) }
        }
        let whole: [(String, String?, Int64)] = [
            ("subtotal", nil, 1895), ("discount", "FRST", -189), ("tip", nil, 100), ("total", nil, 1806),
        ]
        #expect(try decide(whole).summaries == ["accept"])
        #expect(try decide(whole.reversed() + [("discount", "OTHER", 0)]).summaries == ["accept"])
        #expect(
            Checkout.validate(
                try shop.draft(expectedTotal: 1806) { ($0.tip, $0.expectedTotals) = (100, Self.rawTotals(whole)) }.form,
                shop.facts
            )
            .isReady)
        // The same total with another discount and tip.
        var other = whole
        (other[1].2, other[2].2) = (-99, 10)
        #expect(
            try Self.changes(decide(other)) == [
                Self.change(TotalKey(.discount, code: "FRST"), -99, -189), Self.change(TotalKey(.tip), 10, 100),
            ])
        other[1].1 = "LAST"
        #expect(
            try Self.changes(decide(other)) == [
                Self.change(TotalKey(.discount, code: "FRST"), 0, -189),
                Self.change(TotalKey(.discount, code: "LAST"), -99, 0),
                Self.change(TotalKey(.tip), 10, 100),
            ])
        #expect(try Self.changes(decide(whole, tip: 99)) == [Self.change(TotalKey(.tip), 100, 99)])
        #expect(try Self.changes(decide(whole.dropLast(2) + whole.suffix(1))) == [Self.change(TotalKey(.tip), 0, 100)])
        // Only sums differ: reports the expected total if it differs, otherwise the list's sum.
        #expect(
            try Self.changes(decide(whole, total: 1)) == [
                .amount(
                    .form(.expectedTotal), old: CheckoutFixture.money(1), new: CheckoutFixture.money(1806),
                    cause: .total(.total))
            ])
        #expect(
            try Self.changes(decide([("subtotal", nil, 1)] + whole.dropFirst())) == [
                Self.change(TotalKey(.subtotal), 1, 1895)
            ])
        #expect(try Self.changes(decide([]))?.count == 2, "an empty list lacks the discount and the tip")
        // A changed price is reported before the totals that it changes.
        shop.menu = CheckoutFixture.menu(prices: [4001: 385])
        #expect(
            try Self.changes(decide(whole)) == [
                Self.change(TotalKey(.discount, code: "FRST"), -189, -199),
                .amount(
                    .line(LineID(rawValue: 4001)), old: CheckoutFixture.money(285), new: CheckoutFixture.money(385),
                    cause: .menuPrice),
            ])
    }

    @Test("A list of expected totals that no quote can have is rejected, and extreme amounts do not trap")
    func invalidLists() throws {
        let long = String(repeating: "x", count: 65)
        for list in [
            [("", nil, 1)], [("Subtotal", nil, 1)], [("gift", nil, 0)], [("tip", nil, 1), ("tip", nil, 1)],
            [("discount", long, 1)],
            [("discount", "A", 1), ("discount", "A", 1)],
        ] as [[(String, String?, Int64)]] {
            let form = CheckoutForm(expectedTotals: Self.rawTotals(list))
            #expect(
                Checkout.validate(form, CheckoutFixture().facts).fields.map(\.path) == [.form(.expectedTotals)],
                "\(list)")
        }
        for amount in [Int64.min, .max, -1, 0] {
            let list = Self.rawTotals([
                ("subtotal", nil, amount), ("tip", nil, amount), ("total", nil, amount), ("discount", "A", amount),
            ])
            #expect(
                try CheckoutFixture().decide(expectedTotal: 1895) { $0.expectedTotals = list }.summaries == [
                    "price_changed"
                ], "\(amount)")
        }
    }
}
