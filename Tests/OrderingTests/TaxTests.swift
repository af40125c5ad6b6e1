// Taxes by hand: what is in a price and what comes on top, rounding, discounts, and what fees are taxed with. TotalsOracleTests.swift has the rest.
// Tests Sources/Ordering/Totals and Sources/Ordering/Taxes through the live form.
import Ordering
import Testing

@Suite("Promise 13: taxes are exact")
struct TaxTests {
    private static func rate(_ id: Int64, _ percent: Int64) throws -> TaxRate {
        TaxRate(id: id, title: "Rate \(id)", percent: try #require(Rate(tenThousandths: percent * 10_000)))
    }

    private static func row(_ category: Int64, _ fulfilment: Fulfilment? = nil, rate: Int64) -> CategoryTax {
        CategoryTax(CategoryID(rawValue: category), fulfilment, rate: rate)
    }

    /// What an order comes to: `tax 1 50 included`, one for each total between the subtotal and the total; and the lines' taxes.
    private static func told(
        _ lines: [(Int64, Int)], prices: [Int64: Int64], _ terms: ShopTerms, coupon: CouponBenefit? = nil,
        _ fulfilment: Fulfilment = .delivery, tip: Int64? = nil
    ) throws -> (totals: [String], lines: [Int64], total: Int64) {
        var shop = CheckoutShop()
        shop.menu = CheckoutShop.menu(prices: prices, terms: terms)
        shop.basket = CheckoutShop.basket(lines, recordedAt: shop.menu)
        shop.coupon = try coupon.map { try .test("OFF", $0) }
        let form = CheckoutForm(coupon: coupon == nil ? nil : "OFF", fulfilment: fulfilment.rawValue, postcode: "10117", tip: tip)
        let live = Checkout.validate(form, shop.facts)
        try #require(live.errors.isEmpty, "\(live.errors)")
        let quote = try #require(live.quote)
        let told = quote.totals.all.dropFirst().dropLast().map { total in
            let words = [total.key.kind.rawValue, total.key.code, String(total.amount), total.isIncluded ? "included" : nil]
            return words.compactMap(\.self).joined(separator: " ")
        }
        return (told, quote.lines.map(\.tax.minorUnits), quote.total.minorUnits)
    }

    @Test("A price of 300 holds 50 of a tax of 20 %, not 60, and stays 300; where the tax is added it is 60, and 360 are paid")
    func included() throws {
        for (areIncluded, tax, total) in [(true, "tax 1 50 included", 300), (false, "tax 1 60", 360)] as [(Bool, String, Int64)] {
            let taxes = TaxTerms(rates: [try Self.rate(1, 20)], categories: [Self.row(200, rate: 1)], areIncluded: areIncluded)
            let told = try Self.told([(2001, 1)], prices: [2001: 300], ShopTerms(taxes: taxes))
            #expect(told.totals == [tax] && told.lines == [areIncluded ? 50 : 60] && told.total == total)
        }
    }

    @Test("Each tax tells what it is of, in whole units: with the taxes that is what is paid, less the tip and what is untaxed")
    func nets() throws {
        // A third of a fee of 100 each for two rates, and one for what is untaxed.
        for (areIncluded, expected) in [(true, [(1, 121), (2, 89)]), (false, [(1, 133), (2, 133)])] as [(Bool, [(Int64, Int64)])] {
            let taxes = TaxTerms(
                rates: [try Self.rate(1, 10), try Self.rate(2, 50)], categories: [Self.row(200, rate: 1), Self.row(400, rate: 2)],
                areIncluded: areIncluded)
            let own = FulfilmentTerms(serviceCharge: ServiceCharge(amount: CheckoutShop.money(100)))
            var shop = CheckoutShop()
            shop.menu = CheckoutShop.menu(prices: [2001: 100, 4001: 100, 3001: 100], terms: ShopTerms(delivery: own, taxes: taxes))
            shop.basket = CheckoutShop.basket([(2001, 1), (4001, 1), (3001, 1)], recordedAt: shop.menu)
            let totals = try #require(Checkout.validate(CheckoutForm(tip: 7), shop.facts).quote).totals.all
            let told = totals.compactMap { total in total.net.map { (total.key.code, $0) } }
            #expect(told.map(\.0) == expected.map { String($0.0) } && told.map(\.1) == expected.map(\.1), "\(told)")
            #expect(totals.allSatisfy { ($0.net != nil) == ($0.key.kind == .tax) })
        }
    }

    @Test("A rate is rounded once, half up, however many lines it has, and the lines share what came out")
    func rounded() throws {
        let taxes = TaxTerms(rates: [try Self.rate(1, 10)], categories: [Self.row(200, rate: 1)], areIncluded: false)
        // Of 5 each alone half a unit, which would make 3 or nothing; of 15 it is 1.5.
        let told = try Self.told([(2001, 1), (2004, 1), (2003, 1)], prices: [2001: 5, 2004: 5, 2003: 6], ShopTerms(taxes: taxes))
        #expect(told.totals == ["tax 1 2"] && told.lines.sorted() == [0, 1, 1] && told.total == 17)
        let small = try Self.told([(2001, 1)], prices: [2001: 4], ShopTerms(taxes: taxes))
        #expect(small.totals == [] && small.lines == [0] && small.total == 4, "a tax of nothing does not stand there")
    }

    @Test("A category's rate for the fulfilment goes before that for both, what has no rate is untaxed, and rates stand by their number")
    func rates() throws {
        let rows = [Self.row(200, rate: 2), Self.row(200, .pickup, rate: 10), Self.row(300, .pickup, rate: 2), Self.row(400, rate: 3)]
        let taxes = TaxTerms(
            rates: [try Self.rate(10, 50), try Self.rate(3, 0), try Self.rate(2, 10)], categories: rows, areIncluded: false)
        func told(_ fulfilment: Fulfilment) throws -> ([String], [Int64]) {
            let told = try Self.told(
                [(2001, 1), (3001, 1), (4001, 1), (1001, 1)], prices: [2001: 100, 3001: 100, 4001: 100, 1001: 100],
                ShopTerms(taxes: taxes), fulfilment)
            return (told.totals, told.lines)
        }
        #expect(try told(.delivery) == (["tax 2 10"], [10, 0, 0, 0]))
        #expect(try told(.pickup) == (["tax 2 10", "tax 10 50"], [50, 10, 0, 0]))
    }

    @Test("A discount lowers the base of what it falls on and of nothing else, and a tip is not taxed")
    func discounted() throws {
        let taxes = TaxTerms(
            rates: [try Self.rate(1, 10), try Self.rate(2, 50)], categories: [Self.row(200, rate: 1), Self.row(400, rate: 2)],
            areIncluded: false)
        func told(_ coupon: CouponBenefit?, tip: Int64? = nil) throws -> [String] {
            try Self.told([(2001, 2), (4001, 1)], prices: [2001: 100, 4001: 200], ShopTerms(taxes: taxes), coupon: coupon, tip: tip).totals
        }
        #expect(try told(nil) == ["tax 1 20", "tax 2 100"])
        #expect(try told(.percent(CheckoutShop.percent(50))) == ["discount OFF -200", "tax 1 10", "tax 2 50"])
        #expect(try told(.freeItem(CategoryID(rawValue: 200))) == ["discount OFF -100", "tax 1 10", "tax 2 100"])
        #expect(try told(.freeItem(CategoryID(rawValue: 400))) == ["discount OFF -200", "tax 1 20"])
        #expect(try told(.percent(CheckoutShop.percent(100)), tip: 400) == ["discount OFF -400", "tip 400"])
    }

    @Test("A fee that names a rate has it; the others follow the goods by what these cost, the untaxed too, also where all is given away")
    func fees() throws {
        func terms(_ delivery: Int64?, areIncluded: Bool = false) throws -> ShopTerms {
            let taxes = TaxTerms(
                rates: [try Self.rate(1, 10), try Self.rate(2, 50), try Self.rate(3, 20)],
                categories: [Self.row(200, rate: 1), Self.row(400, rate: 2)], areIncluded: areIncluded, delivery: delivery)
            let area = DeliveryArea(
                id: 1, title: "All", postcodes: [try #require(PostcodePattern("*"))],
                fees: [DeliveryFee(from: .zero, fee: CheckoutShop.money(300))])
            let own = FulfilmentTerms(
                smallOrderBelow: CheckoutShop.money(401), smallOrderFee: CheckoutShop.money(60),
                serviceCharge: ServiceCharge(amount: CheckoutShop.money(40)))
            return ShopTerms(delivery: own, areas: DeliveryAreas([area]), taxes: taxes)
        }
        func told(_ delivery: Int64?, coupon: CouponBenefit? = nil, price: Int64 = 100) throws -> [String] {
            let told = try Self.told(
                [(2001, 1), (4001, 1), (3001, 2)], prices: [2001: price, 4001: price, 3001: price], try terms(delivery), coupon: coupon)
            return told.totals.filter { $0.hasPrefix("tax") }
        }
        // A quarter of the goods is of rate 1, one of rate 2, half is untaxed; so is what follows them.
        #expect(try told(nil) == ["tax 1 20", "tax 2 100"])
        #expect(try told(3) == ["tax 1 13", "tax 2 63", "tax 3 60"])
        #expect(try told(1) == ["tax 1 43", "tax 2 63"])
        #expect(try told(nil, coupon: .percent(CheckoutShop.percent(100))) == ["tax 1 10", "tax 2 50"])
        #expect(try told(3, coupon: .amount(CheckoutShop.money(9_999))) == ["tax 1 3", "tax 2 13", "tax 3 60"])
        #expect(try told(nil, price: 0) == [], "nothing to follow")
        #expect(try told(3, price: 0) == ["tax 3 60"])
        // The beer is free: what goes with the goods goes with what is paid for.
        #expect(try told(nil, coupon: .freeItem(CategoryID(rawValue: 400))) == ["tax 1 23"])
    }
}
