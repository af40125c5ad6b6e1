// Currencies: their decimals, what a basket records of them, and that an amount in one is never taken for the same digits in another.
// Tests Money/Currency.swift, and the basket and the checkout where they meet it.
import Ordering
import Testing

@Suite("An amount is of its currency") struct CurrencyTests {
    @Test("A currency has the decimals of ISO 4217, where browsers say otherwise too; what is no money has none")
    func exponents() {
        let exponents: [(String, Int)] = [
            ("USD", 2), ("EUR", 2), ("HUF", 2), ("IDR", 2), ("COP", 2), ("PKR", 2), ("RSD", 2), ("LBP", 2), ("TWD", 2), ("JPY", 0),
            ("KRW", 0),
            ("VND", 0), ("CLP", 0), ("ISK", 0), ("PYG", 0), ("UGX", 0), ("XAF", 0), ("XOF", 0), ("XPF", 0), ("RWF", 0), ("KMF", 0),
            ("GNF", 0),
            ("DJF", 0), ("BIF", 0), ("VUV", 0), ("UYI", 0), ("BHD", 3), ("IQD", 3), ("JOD", 3), ("KWD", 3), ("LYD", 3), ("OMR", 3),
            ("TND", 3),
            ("CLF", 4), ("UYW", 4),
        ]
        for (code, exponent) in exponents { #expect(Currency(code)?.exponent == exponent, "\(code)") }
        for code in ["XXX", "XTS", "XAU", "XDR", "ZZZ", "usd", "US", "USDX", "", "US\u{212A}"] { #expect(Currency(code) == nil, "\(code)") }
        #expect(Currency.codes.count == Set(Currency.codes).count && Currency.codes.allSatisfy { Currency($0)?.code.text == $0 })
        for code in ["XXX", "ZZZ", "USD"] { #expect(CurrencyCode(code)?.text == code) }
        for code in ["usd", "US", "USDX", "", "ÄÖÜ", "US\u{212A}"] { #expect(CurrencyCode(code) == nil, "\(code)") }
    }

    @Test("A basket records the shop's currency with each change, and then the prices of all its lines in it")
    func recorded() throws {
        let dollars = CheckoutShop.menu()
        let dinars = CheckoutShop.menu(prices: [2001: 2500, 2002: 3000, 4001: 900], currency: "KWD")
        let basket = try Basket.new().after([.addItem(2001, quantity: 2), .addItem(4001, quantity: 1), .addSale(200)], dollars)
        #expect(basket.currency == "USD")
        // What was shown in dollars is no former price in dinars.
        let shown = PricedBasket(basket, menu: dinars)
        #expect((shown.lines + shown.sets.flatMap(\.items)).allSatisfy { $0.previousUnitPrice == nil } && shown.currency.exponent == 3)
        let changed = try basket.after([.increment(4001)], dinars)
        #expect(changed.currency == "KWD" && changed.version == basket.version + 1)
        #expect(changed.lines.map(\.unitPrice.minorUnits) == [2500, 900] && changed.sets[0].items[0].unitPrice.minorUnits == 2700)
        let empty = try Basket.new().after([.clear], dinars)
        #expect(empty.currency == "USD" && empty.version == 1, "nothing has changed")
    }

    @Test(
        "Another currency than the one that was shown is a change of price, told alone, and the fresh quote is accepted with its currency")
    func another() throws {
        var shop = CheckoutShop()
        // The same digits in another money.
        shop.menu = CheckoutShop.menu(currency: "KWD")
        guard case .reject(.priceChanged(let changes, let quote)) = try shop.decide(expectedTotal: 1895) else {
            Issue.record("1895 fils were taken for as many cents")
            return
        }
        #expect(changes == [.currency(old: "USD", new: "KWD")] && quote.currency.exponent == 3)
        #expect(try shop.decide(expectedTotal: 1895, edit: { $0.currency = "USD" }).told == ["price_changed"])
        #expect(try shop.decide(expectedTotal: 1895, edit: { $0.currency = "KWD" }).order?.quote.currency.code == "KWD")
        #expect(try shop.decide(expectedTotal: 1894, edit: { $0.currency = "KWD" }).told == ["price_changed"])
        // Other prices in it are no changes of those.
        shop.menu = CheckoutShop.menu(prices: [2001: 900], currency: "KWD")
        guard case .reject(.priceChanged(let more, _)) = try shop.decide(expectedTotal: 1895) else { return }
        #expect(more == [.currency(old: "USD", new: "KWD")])
        // A currency that nobody has shown, and the price of a line beside it.
        shop.menu = CheckoutShop.menu(prices: [2001: 900])
        guard case .reject(.priceChanged(let both, _)) = try shop.decide(expectedTotal: 1895, edit: { $0.currency = "EUR" }) else { return }
        #expect(both.map(\.path.description) == ["currency", "lines/2001"])
    }

    @Test("The form says of a currency that it can't be one, between the total and the basket, and is ready in the shop's currency only")
    func form() throws {
        var shop = CheckoutShop()
        for wrong in ["usd", "", " USD", "EURO", "12€"] {
            #expect(try shop.decide(expectedTotal: 1895, edit: { $0.currency = wrong }).told == ["currency invalid_currency"], "\(wrong)")
        }
        shop.basket = CheckoutShop.basket([])
        let told = try shop.decide(expectedTotal: nil, edit: { $0.currency = "$" }).told
        #expect(told == ["expectedTotal required", "currency invalid_currency", "basket basket_empty"])
        shop.basket = CheckoutShop.basket([(2001, 2), (4001, 1)])
        func isReady(_ currency: String?) throws -> Bool {
            Checkout.validate(try shop.draft(expectedTotal: 1895, edit: { $0.currency = currency }).form, shop.facts).isReady
        }
        #expect(try isReady(nil) && isReady("USD") && !isReady("KWD"))
        shop.menu = CheckoutShop.menu(currency: "KWD")
        #expect(try !isReady(nil) && !isReady("USD") && isReady("KWD"))
        let live = Checkout.validate(CheckoutForm(currency: "usd"), shop.facts)
        #expect(live.fields.map(\.path) == [.form(.currency)] && live.quote?.currency.code == "KWD")
    }
}
