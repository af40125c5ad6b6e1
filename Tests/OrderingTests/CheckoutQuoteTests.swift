// Totals of random baskets with coupons, and the validation of a form while the guest types.
import Ordering
import TestBasics
import Testing

@Suite("Quotes with coupons")
struct CheckoutQuoteTests {
    @Test("For a random basket and coupon, the lines' shares add up to the discount, which is at most the subtotal")
    func shares() throws {
        var random = SeededRandom()
        for _ in 0..<1_000 {
            var shop = CheckoutFixture()
            var prices: [Int64: Int64] = [:]
            for id in CheckoutFixture.itemIDs {
                prices[id] = ([0, 1, 2, 3, 99, 805, 100_000_000] as [Int64]).randomElement(using: &random) ?? 1
            }
            let ids = CheckoutFixture.itemIDs.shuffled(using: &random)
            let setSize = Int.random(in: 0...4, using: &random)
            let split = Int.random(in: 0...12, using: &random)
            let lines: [(Int64, Int)] = ids.prefix(split).map { ($0, Int.random(in: 1...99, using: &random)) }
            let set: [(Int64, Int)] = ids.dropFirst(split).prefix(setSize).map {
                ($0, Int.random(in: 1...99, using: &random))
            }
            let sets: [(Int64, [(Int64, Int)])] = set.isEmpty ? [] : [(Int64(400), set)]
            shop.menu = CheckoutFixture.menu(prices: prices, sets: sets)
            shop.basket = CheckoutFixture.basket(lines, sets: sets, recordedAt: shop.menu)
            guard !lines.isEmpty || !set.isEmpty else { continue }
            let benefits: [CouponBenefit] = [
                .percent(CheckoutFixture.percent(.random(in: 1...100, using: &random))),
                .amount(
                    CheckoutFixture.money(
                        ([0, 1, 7, 500, 1_000_000_000_000_000] as [Int64]).randomElement(using: &random) ?? 1)),
                .freeItem(CategoryID(rawValue: 200)),
            ]
            shop.coupon = try .test("ANY", try #require(benefits.randomElement(using: &random)))
            let quote = try #require(Checkout.validate(try shop.draft(expectedTotal: nil).form, shop.facts).quote)
            let items = quote.lines + quote.sets.flatMap(\.items)
            let total = items.reduce(Int64(0)) { $0 + $1.total.minorUnits }
            #expect(quote.subtotal.minorUnits == total, "\(random)")
            #expect(quote.discount <= quote.subtotal, "\(random)")
            #expect(quote.total.minorUnits == quote.subtotal.minorUnits - quote.discount.minorUnits, "\(random)")
            #expect(items.reduce(Int64(0)) { $0 + $1.discount.minorUnits } == quote.discount.minorUnits, "\(random)")
            #expect(items.allSatisfy { $0.discount <= $0.total }, "\(random)")
            #expect(items.map(\.menuItemID.rawValue) == lines.map(\.0) + set.map(\.0), "\(random)")
            // The order has the totals of the quote.
            let outcome = quote.canUseCoupon(shop) ? "accept" : "coupon coupon_needs_item"
            #expect(try shop.decide(expectedTotal: quote.total.minorUnits).summaries == [outcome], "\(random)")
        }
    }

    @Test("A percent discount is the subtotal minus the total rounded half up, for random subtotals and percents")
    func percent() throws {
        var random = SeededRandom()
        for _ in 0..<1_000 {
            var shop = CheckoutFixture()
            let price = Int64.random(in: 1...100_000_000, using: &random)
            let percent = Int.random(in: 1...100, using: &random)
            shop.menu = CheckoutFixture.menu(prices: [1001: price])
            shop.basket = CheckoutFixture.basket([(1001, 1)], recordedAt: shop.menu)
            shop.coupon = try .test("ANY", .percent(CheckoutFixture.percent(percent)))
            // Rounds half up without the code under test: doubles the exact total, adds a half and truncates.
            let total = (2 * price * Int64(100 - percent) + 100) / 200
            let order = try #require(try shop.decide(expectedTotal: total).order, "\(random)")
            #expect(order.discount.minorUnits == price - total, "\(random)")
        }
    }

    @Test("A fixed discount above the subtotal makes the order free")
    func amount() throws {
        var shop = CheckoutFixture()
        shop.coupon = try .test("ANY", .amount(CheckoutFixture.money(500)))
        let order = try #require(try shop.decide(expectedTotal: 1395).order)
        // 500 × 1610 / 1895 = 424.8, 500 × 285 / 1895 = 75.2. The largest remainder gets the remaining unit.
        #expect(order.lines.map(\.discount.minorUnits) == [425, 75])
        shop.coupon = try .test("ANY", .amount(CheckoutFixture.money(1896)))
        #expect(try #require(try shop.decide(expectedTotal: 0).order).discount.minorUnits == 1895)
    }

    @Test("The largest basket at the highest prices is added up exactly")
    func largest() throws {
        var shop = CheckoutFixture()
        let sets: [(Int64, [(Int64, Int)])] = (1...49).map { ($0, [(1001, 99)]) }
        shop.menu = CheckoutFixture.menu(prices: [1001: 100_000_000], sets: sets)
        shop.basket = CheckoutFixture.basket([(1001, 99)], sets: sets, recordedAt: shop.menu)
        #expect(try #require(try shop.decide(expectedTotal: 495_000_000_000).order).sets.count == 49)
    }
}

@Suite("Checkout form: validation while the guest types")
struct CheckoutFormValidationTests {
    @Test("An empty form has a quote and no errors, and it is not ready")
    func empty() {
        let live = Checkout.validate(CheckoutForm(), CheckoutFixture().facts)
        #expect(live.fields.isEmpty && !live.isReady)
        #expect(live.quote?.total.minorUnits == 1895)
    }

    @Test("A valid coupon lowers the total at once, and its guest history conditions are listed without being judged")
    func coupon() throws {
        var shop = CheckoutFixture()
        shop.coupon = try .frst()
        shop.history = GuestHistory(hasOrdered: true, redemptionCount: 1, usedNumbers: [1])
        let live = Checkout.validate(CheckoutForm(coupon: "frst"), shop.facts)
        #expect(live.fields == [ValidatedField(.coupon, .success(.text("FRST")))])
        let quote = try #require(live.quote)
        #expect((quote.subtotal.minorUnits, quote.discount.minorUnits, quote.total.minorUnits) == (1895, 189, 1706))
        #expect(quote.conditions == ["first_order"])
    }

    @Test("A rejected coupon reports an error in its field and leaves the total unchanged")
    func refusedCoupon() throws {
        var shop = CheckoutFixture()
        #expect(
            Checkout.validate(CheckoutForm(coupon: "NOSUCH"), shop.facts).fields == [
                ValidatedField(.coupon, .failure(FieldError(.coupon, .couponUnknown)))
            ])
        shop.coupon = try .happy()
        let live = Checkout.validate(CheckoutForm(name: "ann", coupon: "HAPPY"), shop.facts)
        #expect(
            live.fields == [
                ValidatedField(.name, .success(.text("Ann"))),
                ValidatedField(.coupon, .failure(FieldError(.coupon, .couponNeedsBirthday))),
            ])
        #expect(live.quote?.discount == .zero && live.quote?.conditions == [])
        let invalid = Checkout.validate(CheckoutForm(coupon: "HAPPY", birthday: "02-30"), shop.facts)
        #expect(
            invalid.fields == [
                ValidatedField(.coupon, .success(.text("HAPPY"))),
                ValidatedField(.birthday, .failure(FieldError(.birthday, .invalidBirthday))),
            ])
    }

    @Test("A form is ready exactly when a checkout with the same fields is accepted")
    func ready() throws {
        var random = SeededRandom()
        for _ in 0..<500 {
            var shop = CheckoutFixture()
            shop.menu = CheckoutFixture.menu(soldOut: Int.random(in: 0..<6, using: &random) == 0 ? [2001] : [])
            if Int.random(in: 0..<6, using: &random) == 0 { shop.basket = CheckoutFixture.basket([]) }
            shop.coupon = try [nil, Coupon.follow(), .last(), .happy()].randomElement(using: &random) ?? nil
            let draft = try shop.draft(
                expectedTotal: [1895, 1090, 1611, nil].randomElement(using: &random) ?? nil,
                birthday: [nil, "09-16", "x"].randomElement(using: &random) ?? nil
            ) {
                if Int.random(in: 0..<6, using: &random) == 0 { $0.name = nil }
                if Int.random(in: 0..<6, using: &random) == 0 { $0.comment = "\u{0}" }
            }
            let live = Checkout.validate(draft.form, shop.facts)
            let decision = Checkout.decide(draft, shop.facts)
            #expect(live.isReady == (decision.order != nil), "\(random)")
            if let order = decision.order { #expect(live.quote == order.quote, "\(random)") }
        }
    }

    @Test("Errors of sold-out lines and of an empty basket follow the form fields in the documented order")
    func basketErrors() {
        var shop = CheckoutFixture()
        shop.menu = CheckoutFixture.menu(soldOut: [4001])
        let live = Checkout.validate(CheckoutForm(phone: "1", comment: "x"), shop.facts)
        #expect(live.fields.map(\.path.description) == ["phone", "comment", "lines/4001"])
        shop.basket = CheckoutFixture.basket([])
        #expect(Checkout.validate(CheckoutForm(), shop.facts).fields.map(\.path) == [.basket])
    }

    @Test("Without an open basket, the fields are validated and there is no quote")
    func noBasket() throws {
        var shop = CheckoutFixture()
        shop.basket = nil
        let live = Checkout.validate(CheckoutForm(name: "ann"), shop.facts)
        #expect(live.fields.map(\.path) == [.form(.name)] && live.quote == nil && !live.isReady)
        shop.basket = Basket(
            id: CheckoutFixture.basketID(1), state: .ordered, version: 8, currency: "USD", createdLineCount: 0,
            lines: [], sets: [])
        #expect(Checkout.validate(CheckoutForm(name: "ann"), shop.facts).quote == nil)
    }
}

extension Quote {
    /// Whether the shop's coupon applies: a free item needs an item of its category.
    fileprivate func canUseCoupon(_ shop: CheckoutFixture) -> Bool {
        guard case .freeItem(let category)? = shop.coupon?.benefit else { return true }
        return (lines + sets.flatMap(\.items)).contains { shop.menu.item($0.menuItemID)?.category == category }
    }
}
