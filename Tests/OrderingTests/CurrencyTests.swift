// Currencies: their decimals, the currency that a basket records, and checkouts after the currency of the shop
// changed.
import Ordering
import Testing

@Suite("Currencies") struct CurrencyTests {
    @Test("A currency has the decimals of ISO 4217, and a code that is not a currency of payment is rejected")
    func exponents() {
        let exponents: [(String, Int)] = [
            ("USD", 2), ("EUR", 2), ("HUF", 2), ("IDR", 2), ("COP", 2), ("PKR", 2), ("RSD", 2), ("LBP", 2), ("TWD", 2),
            ("JPY", 0),
            ("KRW", 0),
            ("VND", 0), ("CLP", 0), ("ISK", 0), ("PYG", 0), ("UGX", 0), ("XAF", 0), ("XOF", 0), ("XPF", 0), ("RWF", 0),
            ("KMF", 0),
            ("GNF", 0),
            ("DJF", 0), ("BIF", 0), ("VUV", 0), ("UYI", 0), ("BHD", 3), ("IQD", 3), ("JOD", 3), ("KWD", 3), ("LYD", 3),
            ("OMR", 3),
            ("TND", 3),
            ("CLF", 4), ("UYW", 4),
        ]
        for (code, exponent) in exponents { #expect(Currency(code)?.exponent == exponent, "\(code)") }
        for code in ["XXX", "XTS", "XAU", "XDR", "ZZZ", "usd", "US", "USDX", "", "US\u{212A}"] {
            #expect(Currency(code) == nil, "\(code)")
        }
        #expect(
            Currency.codes.count == Set(Currency.codes).count
                && Currency.codes.allSatisfy { Currency($0)?.code.text == $0 })
        for code in ["XXX", "ZZZ", "USD"] { #expect(CurrencyCode(code)?.text == code) }
        for code in ["usd", "US", "USDX", "", "ÄÖÜ", "US\u{212A}"] { #expect(CurrencyCode(code) == nil, "\(code)") }
    }

    @Test("Each change of a basket records the shop's currency and the prices of all lines in it")
    func recorded() throws {
        let dollars = CheckoutFixture.menu()
        let dinars = CheckoutFixture.menu(prices: [2001: 2500, 2002: 3000, 4001: 900], currency: "KWD")
        let basket = try Basket.empty().after(
            [.addItem(2001, quantity: 2), .addItem(4001, quantity: 1), .addSale(200)], dollars)
        #expect(basket.currency == "USD")
        // A price in dollars is not shown as the former price in dinars.
        let shown = PricedBasket(basket, menu: dinars)
        #expect(
            (shown.lines + shown.sets.flatMap(\.items)).allSatisfy { $0.previousUnitPrice == nil }
                && shown.currency.exponent == 3)
        let changed = try basket.after([.increment(4001)], dinars)
        #expect(changed.currency == "KWD" && changed.version == basket.version + 1)
        #expect(
            changed.lines.map(\.unitPrice.minorUnits) == [2500, 900]
                && changed.sets[0].items[0].unitPrice.minorUnits == 2700)
        let empty = try Basket.empty().after([.clear], dinars)
        #expect(empty.currency == "USD" && empty.version == 1, "nothing has changed")
    }

    @Test(
        "A changed currency is reported as the only price change, and a checkout with the new currency is accepted")
    func currencyChanged() throws {
        var shop = CheckoutFixture()
        // The same digits in another currency.
        shop.menu = CheckoutFixture.menu(currency: "KWD")
        guard case .reject(.priceChanged(let changes, let quote)) = try shop.decide(expectedTotal: 1895) else {
            Issue.record("The checkout accepted 1895 fils for 1895 cents.")
            return
        }
        #expect(changes == [.currency(old: "USD", new: "KWD")] && quote.currency.exponent == 3)
        #expect(try shop.decide(expectedTotal: 1895, edit: { $0.currency = "USD" }).summaries == ["price_changed"])
        #expect(try shop.decide(expectedTotal: 1895, edit: { $0.currency = "KWD" }).order?.quote.currency.code == "KWD")
        #expect(try shop.decide(expectedTotal: 1894, edit: { $0.currency = "KWD" }).summaries == ["price_changed"])
        // Prices in another currency are not reported as changed.
        shop.menu = CheckoutFixture.menu(prices: [2001: 900], currency: "KWD")
        guard case .reject(.priceChanged(let more, _)) = try shop.decide(expectedTotal: 1895) else { return }
        #expect(more == [.currency(old: "USD", new: "KWD")])
        // An expected currency that the shop never had, and a changed price of a line.
        shop.menu = CheckoutFixture.menu(prices: [2001: 900])
        guard
            case .reject(.priceChanged(let both, _)) = try shop.decide(
                expectedTotal: 1895, edit: { $0.currency = "EUR" })
        else { return }
        #expect(both.map(\.path.description) == ["currency", "lines/2001"])
    }

    @Test("An invalid currency is reported after the total, and the form is ready only in the shop's currency")
    func form() throws {
        var shop = CheckoutFixture()
        for wrong in ["usd", "", " USD", "EURO", "12€"] {
            #expect(
                try shop.decide(expectedTotal: 1895, edit: { $0.currency = wrong }).summaries == [
                    "currency invalid_currency"
                ], "\(wrong)")
        }
        shop.basket = CheckoutFixture.basket([])
        let outcome = try shop.decide(expectedTotal: nil, edit: { $0.currency = "$" }).summaries
        #expect(outcome == ["expectedTotal required", "currency invalid_currency", "basket basket_empty"])
        shop.basket = CheckoutFixture.basket([(2001, 2), (4001, 1)])
        func isReady(_ currency: String?) throws -> Bool {
            Checkout.validate(try shop.draft(expectedTotal: 1895, edit: { $0.currency = currency }).form, shop.facts)
                .isReady
        }
        #expect(try isReady(nil) && isReady("USD") && !isReady("KWD"))
        shop.menu = CheckoutFixture.menu(currency: "KWD")
        #expect(try !isReady(nil) && !isReady("USD") && isReady("KWD"))
        let live = Checkout.validate(CheckoutForm(currency: "usd"), shop.facts)
        #expect(live.fields.map(\.path) == [.form(.currency)] && live.quote?.currency.code == "KWD")
    }
}
