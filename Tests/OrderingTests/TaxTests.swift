// Taxes calculated by hand: included and added taxes, rounding, discounts and fees.
import Ordering
import Testing

@Suite("Taxes")
struct TaxTests {
    private static func rate(_ id: Int64, _ percent: Int64) throws -> TaxRate {
        TaxRate(id: id, title: "Rate \(id)", percent: try #require(Rate(tenThousandths: percent * 10_000)))
    }

    private static func row(_ category: Int64, _ fulfilment: Fulfilment? = nil, rate: Int64) -> CategoryTax {
        CategoryTax(CategoryID(rawValue: category), fulfilment, rate: rate)
    }

    /// The totals between subtotal and total, such as `tax 1 50 included`, the taxes of the lines, and the total.
    private static func calculate(
        _ lines: [(Int64, Int)], prices: [Int64: Int64], _ terms: ShopTerms, coupon: CouponBenefit? = nil,
        _ fulfilment: Fulfilment = .delivery, tip: Int64? = nil
    ) throws -> (totals: [String], lines: [Int64], total: Int64) {
        var shop = CheckoutFixture()
        shop.menu = CheckoutFixture.menu(prices: prices, terms: terms)
        shop.basket = CheckoutFixture.basket(lines, recordedAt: shop.menu)
        shop.coupon = try coupon.map { try .test("OFF", $0) }
        let form = CheckoutForm(
            coupon: coupon == nil ? nil : "OFF", fulfilment: fulfilment.rawValue, postcode: "10117", tip: tip)
        let live = Checkout.validate(form, shop.facts)
        try #require(live.errors.isEmpty, "\(live.errors)")
        let quote = try #require(live.quote)
        let totals = quote.totals.all.dropFirst().dropLast().map { total in
            let words = [
                total.key.kind.rawValue, total.key.code, String(total.amount), total.isIncluded ? "included" : nil,
            ]
            return words.compactMap(\.self).joined(separator: " ")
        }
        return (totals, quote.lines.map(\.tax.minorUnits), quote.total.minorUnits)
    }

    @Test("A price of 300 with 20 % tax included contains a tax of 50, and with the tax added costs 360")
    func included() throws {
        for (areIncluded, tax, total) in [(true, "tax 1 50 included", 300), (false, "tax 1 60", 360)]
            as [(Bool, String, Int64)]
        {
            let taxes = TaxTerms(
                rates: [try Self.rate(1, 20)], categories: [Self.row(200, rate: 1)], pricesIncludeTax: areIncluded)
            let result = try Self.calculate([(2001, 1)], prices: [2001: 300], ShopTerms(taxes: taxes))
            #expect(result.totals == [tax] && result.lines == [areIncluded ? 50 : 60] && result.total == total)
        }
    }

    @Test("Each tax reports its net amount in whole units, and nets and taxes add up to the taxed payment")
    func nets() throws {
        // A fee of 100 is divided in thirds between two rates and the untaxed goods.
        for (areIncluded, expected) in [(true, [(1, 121), (2, 89)]), (false, [(1, 133), (2, 133)])]
            as [(Bool, [(Int64, Int64)])]
        {
            let taxes = TaxTerms(
                rates: [try Self.rate(1, 10), try Self.rate(2, 50)],
                categories: [Self.row(200, rate: 1), Self.row(400, rate: 2)],
                pricesIncludeTax: areIncluded)
            let own = FulfilmentTerms(serviceCharge: ServiceCharge(amount: CheckoutFixture.money(100)))
            var shop = CheckoutFixture()
            shop.menu = CheckoutFixture.menu(
                prices: [2001: 100, 4001: 100, 3001: 100], terms: ShopTerms(delivery: own, taxes: taxes))
            shop.basket = CheckoutFixture.basket([(2001, 1), (4001, 1), (3001, 1)], recordedAt: shop.menu)
            let totals = try #require(Checkout.validate(CheckoutForm(tip: 7), shop.facts).quote).totals.all
            let result = totals.compactMap { total in total.net.map { (total.key.code, $0) } }
            #expect(
                result.map(\.0) == expected.map { String($0.0) } && result.map(\.1) == expected.map(\.1), "\(result)")
            #expect(totals.allSatisfy { ($0.net != nil) == ($0.key.kind == .tax) })
        }
    }

    @Test("The tax of a rate is rounded half up once for all its lines, and the lines share the result")
    func rounded() throws {
        let taxes = TaxTerms(
            rates: [try Self.rate(1, 10)], categories: [Self.row(200, rate: 1)], pricesIncludeTax: false)
        // Each 5 alone has half a unit of tax. Rounding each line would give 3 or 0, but 10 % of 15 is 1.5.
        let result = try Self.calculate(
            [(2001, 1), (2004, 1), (2003, 1)], prices: [2001: 5, 2004: 5, 2003: 6], ShopTerms(taxes: taxes))
        #expect(result.totals == ["tax 1 2"] && result.lines.sorted() == [0, 1, 1] && result.total == 17)
        let small = try Self.calculate([(2001, 1)], prices: [2001: 4], ShopTerms(taxes: taxes))
        #expect(small.totals == [] && small.lines == [0] && small.total == 4, "a tax of zero is not listed")
    }

    @Test("A category's rate for a fulfilment wins over its general rate, and a category without a rate is untaxed")
    func rates() throws {
        let rows = [
            Self.row(200, rate: 2), Self.row(200, .pickup, rate: 10), Self.row(300, .pickup, rate: 2),
            Self.row(400, rate: 3),
        ]
        let taxes = TaxTerms(
            rates: [try Self.rate(10, 50), try Self.rate(3, 0), try Self.rate(2, 10)], categories: rows,
            pricesIncludeTax: false)
        func amounts(_ fulfilment: Fulfilment) throws -> ([String], [Int64]) {
            let result = try Self.calculate(
                [(2001, 1), (3001, 1), (4001, 1), (1001, 1)], prices: [2001: 100, 3001: 100, 4001: 100, 1001: 100],
                ShopTerms(taxes: taxes), fulfilment)
            return (result.totals, result.lines)
        }
        #expect(try amounts(.delivery) == (["tax 2 10"], [10, 0, 0, 0]))
        #expect(try amounts(.pickup) == (["tax 2 10", "tax 10 50"], [50, 10, 0, 0]))
    }

    @Test("A discount lowers the taxed amount only of the lines it applies to, and a tip is not taxed")
    func discounted() throws {
        let taxes = TaxTerms(
            rates: [try Self.rate(1, 10), try Self.rate(2, 50)],
            categories: [Self.row(200, rate: 1), Self.row(400, rate: 2)],
            pricesIncludeTax: false)
        func amounts(_ coupon: CouponBenefit?, tip: Int64? = nil) throws -> [String] {
            try Self.calculate(
                [(2001, 2), (4001, 1)], prices: [2001: 100, 4001: 200], ShopTerms(taxes: taxes), coupon: coupon,
                tip: tip
            ).totals
        }
        #expect(try amounts(nil) == ["tax 1 20", "tax 2 100"])
        #expect(try amounts(.percent(CheckoutFixture.percent(50))) == ["discount OFF -200", "tax 1 10", "tax 2 50"])
        #expect(try amounts(.freeItem(CategoryID(rawValue: 200))) == ["discount OFF -100", "tax 1 10", "tax 2 100"])
        #expect(try amounts(.freeItem(CategoryID(rawValue: 400))) == ["discount OFF -200", "tax 1 20"])
        #expect(try amounts(.percent(CheckoutFixture.percent(100)), tip: 400) == ["discount OFF -400", "tip 400"])
    }

    @Test("A fee with a rate has that rate, and other fees are divided in proportion to the charged goods")
    func fees() throws {
        func terms(_ delivery: Int64?, areIncluded: Bool = false) throws -> ShopTerms {
            let taxes = TaxTerms(
                rates: [try Self.rate(1, 10), try Self.rate(2, 50), try Self.rate(3, 20)],
                categories: [Self.row(200, rate: 1), Self.row(400, rate: 2)], pricesIncludeTax: areIncluded,
                deliveryRate: delivery)
            let area = DeliveryArea(
                id: 1, title: "All", postcodes: [try #require(PostcodePattern("*"))],
                fees: [DeliveryFee(from: .zero, fee: CheckoutFixture.money(300))])
            let own = FulfilmentTerms(
                smallOrderBelow: CheckoutFixture.money(401), smallOrderFee: CheckoutFixture.money(60),
                serviceCharge: ServiceCharge(amount: CheckoutFixture.money(40)))
            return ShopTerms(delivery: own, areas: DeliveryAreas([area]), taxes: taxes)
        }
        func amounts(_ delivery: Int64?, coupon: CouponBenefit? = nil, price: Int64 = 100) throws -> [String] {
            let result = try Self.calculate(
                [(2001, 1), (4001, 1), (3001, 2)], prices: [2001: price, 4001: price, 3001: price], try terms(delivery),
                coupon: coupon)
            return result.totals.filter { $0.hasPrefix("tax") }
        }
        // A quarter of the goods has rate 1, a quarter rate 2, and half is untaxed. Fees without a rate are divided
        // the same way.
        #expect(try amounts(nil) == ["tax 1 20", "tax 2 100"])
        #expect(try amounts(3) == ["tax 1 13", "tax 2 63", "tax 3 60"])
        #expect(try amounts(1) == ["tax 1 43", "tax 2 63"])
        #expect(try amounts(nil, coupon: .percent(CheckoutFixture.percent(100))) == ["tax 1 10", "tax 2 50"])
        #expect(try amounts(3, coupon: .amount(CheckoutFixture.money(9_999))) == ["tax 1 3", "tax 2 13", "tax 3 60"])
        #expect(try amounts(nil, price: 0) == [], "no goods to divide the fees by")
        #expect(try amounts(3, price: 0) == ["tax 3 60"])
        // The item of category 400 is free, so that fees without a rate are divided over the other goods only.
        #expect(try amounts(nil, coupon: .freeItem(CategoryID(rawValue: 400))) == ["tax 1 23"])
    }
}
