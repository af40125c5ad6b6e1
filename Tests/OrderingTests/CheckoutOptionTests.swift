// Options at checkout: prices in the order, coupon discounts, and errors and price changes with the option's path.
import Testing

@testable import Ordering

@Suite("Checkout: dishes with options")
struct CheckoutOptionTests {
    /// A shop whose basket has these changes, and the basket's total.
    private func shop(_ app: MenuFixture, _ changes: [BasketChange]) throws -> (shop: CheckoutFixture, total: Int64) {
        var shop = CheckoutFixture()
        shop.menu = try app.menu()
        let basket = try Basket.empty().after(changes, shop.menu)
        shop.basket = basket
        return (shop, PricedBasket(basket, menu: shop.menu).total.minorUnits)
    }

    private static let blue: [RawOptionChoice] = [.of(9101, 1, [.of(9202, 1, [.of(9301, 2)])]), .of(9102)]

    private func changes(_ decision: CheckoutDecision) -> [String] {
        guard case .reject(.priceChanged(let changes, _)) = decision else { return decision.summaries }
        return changes.map { change in
            switch change {
            case .amount(let path, let old, let new, let cause): "\(path) \(old) \(new) \(cause.name)"
            case .option(let path, let old, let new): "\(path) \(old) \(new)"
            case .currency(let old, let new): "currency \(old.text) \(new.text)"
            case .total(let key, let old, let new): "totals/\(key) \(old) \(new)"
            }
        }
    }

    private func summaries(_ decision: CheckoutDecision) -> [String] {
        if case .reject(.validationFailed(let errors)) = decision {
            errors.all.map(\.summaryWithParameters)
        } else {
            decision.summaries
        }
    }

    @Test("An order records the titles and prices of the chosen options in lines and sets")
    func placed() throws {
        let app = MenuFixture.withOptions()
        let (shop, total) = try shop(
            app,
            [
                .addItem(RawDish(2001, options: Self.blue), quantity: 2),
                .addSale(200, [RawDish(2002, options: [.of(9103)])]),
            ])
        #expect(total == 2 * 1985 + 849 + 2 * 899)
        let order = try #require(try shop.decide(expectedTotal: total).order)
        #expect(
            order.lines[0].line.options.map(\.summary) == [
                "1 x 9101 of 91 at 100 = 1030 [1 x 9202 of 92 at 30 = 1030 [2 x 9301 of 93 at 500 = 1000]]",
                "1 x 9102 of 91 at 150 = 150",
            ])
        #expect(order.lines[0].unitPrice.minorUnits == 1985 && order.lines[0].regularUnitPrice.minorUnits == 1985)
        #expect(order.sets[0].items.map { $0.line.options.map(\.title) } == [["Option 9103"], []])
        #expect(order.sets[0].items.map(\.regularUnitPrice.minorUnits) == [949, 999])
        #expect(order.subtotal.minorUnits == total)
    }

    @Test("A changed price is reported with the option's or the line's path, and the new quote is accepted")
    func priceChanged() throws {
        var app = MenuFixture.withOptions()
        var (shop, total) = try shop(
            app,
            [
                .addItem(RawDish(2001, options: Self.blue), quantity: 1),
                .addItem(RawDish(2001, options: [.of(9103)]), quantity: 1),
                .addItem(4001, quantity: 1),
            ])
        func decide() throws -> CheckoutDecision {
            shop.menu = try app.menu()
            let decision = try shop.decide(expectedTotal: total)
            if case .reject(.priceChanged(_, let quote)) = decision {
                #expect(try shop.decide(expectedTotal: quote.total.minorUnits).order?.quote == quote)
            }
            return decision
        }
        #expect(try decide().order != nil)
        app.changeOption(9301) { $0.price = 400 }
        #expect(try changes(decide()) == ["lines/1/options/91/9101/92/9202/93/9301 500 400"])
        app.changeOption(9103) { $0.price = 25 }
        app.changeItem(4001) { $0.price = 300 }
        // The option that now adds to the price uses the included unit.
        #expect(
            try changes(decide()) == [
                "lines/1/options/91/9101/92/9202/93/9301 500 400", "lines/2/options/91/9103 -50 25",
                "lines/3 285 300 menu_price",
            ])
        app = .withOptions()
        app.changeItem(2001) { $0.price = 905 }
        app.changeOption(9102) { $0.price = 151 }
        #expect(
            try changes(decide()) == [
                "lines/1 1985 2086 menu_price", "lines/1/options/91/9102 150 151", "lines/2 755 855 menu_price",
            ])
        // A changed price without effect is not reported: the included option is free.
        app = .withOptions()
        app.changeOption(9101) { $0.price = 99 }
        #expect(try decide().order != nil)
        // Fewer options are included. No option price changed, so the line reports the difference.
        app = .withOptions()
        app.changeGroup(91) { $0.included = 0 }
        #expect(try changes(decide()) == ["lines/1 1985 2085 menu_price"])
        // No price changed, but the expected total was wrong.
        app = .withOptions()
        total += 1
        #expect(try changes(decide()) == ["expectedTotal \(total) \(total - 1) total"])
    }

    @Test("In a set, a changed option price is reported for each unit, and a changed item price for the item")
    func setPriceChanged() throws {
        var app = MenuFixture.withOptions()
        let units = [RawDish(2002, options: [.of(9103)]), RawDish(2002), RawDish(2002, options: [.of(9103)])]
        var (shop, total) = try shop(app, [.addSale(200, units)])
        app.changeOption(9103) { $0.price = -60 }
        shop.menu = try app.menu()
        #expect(
            try changes(shop.decide(expectedTotal: total)) == [
                "sales/200/items/2002/1/options/91/9103 -50 -60", "sales/200/items/2002/2/options/91/9103 -50 -60",
            ])
        app.changeItem(2002) { $0.price = 1099 }
        shop.menu = try app.menu()
        #expect(
            try changes(shop.decide(expectedTotal: total)) == [
                "sales/200/items/2002 849 929 menu_price", "sales/200/items/2002 899 989 menu_price",
                "sales/200/items/2002/1/options/91/9103 -50 -60", "sales/200/items/2002/2/options/91/9103 -50 -60",
            ])
        total = 2 * 929 + 989
        #expect(try shop.decide(expectedTotal: total).order != nil)
    }

    @Test("A unit with a price of zero reports a price change only if its price rises above zero")
    func freeUnits() throws {
        var app = MenuFixture.withOptions()
        app.changeOption(9103) { $0.price = -900 }
        var (shop, total) = try shop(
            app, [.addItem(RawDish(2001, options: [.of(9103)]), quantity: 1), .addItem(4001, quantity: 1)])
        #expect(total == 285)
        app.changeItem(2001) { $0.price = 900 }
        shop.menu = try app.menu()
        #expect(try shop.decide(expectedTotal: total).order != nil)
        app.changeOption(9103) { $0.price = -800 }
        shop.menu = try app.menu()
        #expect(try changes(shop.decide(expectedTotal: total)) == ["lines/1/options/91/9103 -900 -800"])
        app.changeOption(9103) { $0.price = -900 }
        app.changeItem(2001) { $0.price = 950 }
        shop.menu = try app.menu()
        #expect(try changes(shop.decide(expectedTotal: total)) == ["lines/1 0 50 menu_price"])
    }

    @Test("A checkout with unavailable items and options reports every error, with lines by id and sets by unit")
    func unavailable() throws {
        var app = MenuFixture.withOptions()
        let units = [RawDish(2002, options: [.of(9103)]), RawDish(2002), RawDish(2002, options: [.of(9103)])]
        var (shop, total) = try shop(
            app,
            [
                .addItem(4001, quantity: 1), .addItem(RawDish(2001, options: Self.blue), quantity: 2),
                .addItem(RawDish(2001, options: []), quantity: 1), .addSale(200, units),
            ])
        let until = Instant(microseconds: shop.now.microseconds + 5)
        app.changeOption(9102) { $0.isRetired = true }
        app.changeOption(9301) { $0.soldOutUntil = until }
        app.changeOption(9103) { $0.isAvailable = false }
        app.changeGroup(91) { $0.minimum = 1 }
        app.changeItem(4001) { $0.soldOutUntil = until }
        shop.menu = try app.menu()
        let expected = [
            "lines/1 item_sold_out until=\(until.rfc3339)", "lines/2/options option_unknown optionId=9102",
            "lines/2/options/91/9101/92/9202/93 option_sold_out optionId=9301",
            "lines/3/options/91 option_group_minimum chosen=0 minimum=1",
            "sales/200/items/2002/1/options/91 option_sold_out optionId=9103",
            "sales/200/items/2002/2/options/91 option_sold_out optionId=9103",
            "sales/200/items/2002/3/options/91 option_group_minimum chosen=0 minimum=1",
        ]
        #expect(try summaries(shop.decide(expectedTotal: total)) == expected)
        #expect(
            try summaries(shop.decide(expectedTotal: total) { $0.phone = "1" }) == ["phone invalid_phone"] + expected)
        let live = Checkout.validate(CheckoutForm(name: "ann"), shop.facts)
        #expect(
            live.fields.map(\.path.description).first == "name" && live.errors.map(\.summaryWithParameters) == expected
                && !live.isReady)
        // An item that is sold out because of its option groups reports both errors.
        app.changeOption(9101) { $0.soldOutUntil = until }
        app.changeItem(4001) { $0.soldOutUntil = nil }
        shop.menu = try app.menu()
        #expect(
            try summaries(shop.decide(expectedTotal: total)).prefix(3) == [
                "lines/2 item_sold_out until=\(until.rfc3339)", "lines/2/options option_unknown optionId=9102",
                "lines/2/options/91 option_sold_out optionId=9101",
            ])
        // The corrected basket is accepted.
        app.changeGroup(91) { $0.minimum = 0 }
        shop.menu = try app.menu()
        let basket = try #require(shop.basket).after(
            [
                .edit(LineID(rawValue: 2), LineEdit(options: [])),
                .editSale(200, Array(repeating: RawDish(2002, options: []), count: 3)),
            ],
            shop.menu)
        shop.basket = basket
        total = 285 + 3 * 805 + 3 * 899
        #expect(try shop.decide(expectedTotal: total).order != nil)
    }

    @Test("An order's validity starts when the last of its sold-out options came back")
    func validity() throws {
        var app = MenuFixture.withOptions()
        let (back, later) = (
            Instant(microseconds: app.moment.microseconds - 5), Instant(microseconds: app.moment.microseconds + 5)
        )
        app.changeOption(9301) { $0.soldOutUntil = back }
        app.changeOption(9103) { $0.soldOutUntil = later }
        let (shop, total) = try shop(app, [.addItem(RawDish(2001, options: Self.blue), quantity: 1)])
        #expect(try shop.decide(expectedTotal: total).order?.validity == TimeRange(from: back))
    }

    @Test(
        "A percent coupon reduces the whole line, and a free item only the dish's price without options"
    )
    func coupons() throws {
        let app = MenuFixture.withOptions()
        // 2001 costs 1985 with options and 805 without. 2004 costs 918.
        var (shop, _) = try shop(
            app, [.addItem(RawDish(2001, options: Self.blue), quantity: 1), .addItem(2004, quantity: 1)])
        shop.coupon = try .follow()
        let free = try #require(try shop.decide(expectedTotal: 1985 + 918 - 805).order)
        #expect(free.lines.map(\.discount.minorUnits) == [805, 0])
        shop.coupon = try .test("TEN")
        let percent = try #require(try shop.decide(expectedTotal: 2613).order)
        #expect(percent.discount.minorUnits == 290 && percent.lines.map(\.discount.minorUnits) == [198, 92])
        // 2001 costs 755 with this option. Without options it is cheaper than 2004, so the coupon takes 755.
        shop.basket = try Basket.empty().after(
            [.addItem(RawDish(2001, options: [.of(9103)]), quantity: 1), .addItem(2004, quantity: 1)], shop.menu)
        shop.coupon = try .follow()
        #expect(try #require(try shop.decide(expectedTotal: 918).order).lines.map(\.discount.minorUnits) == [755, 0])
    }

    @Test("An option price recorded in another currency is not reported as the former price")
    func currencyChanged() throws {
        var app = MenuFixture.withOptions()
        var (shop, total) = try shop(app, [.addItem(RawDish(2001, options: Self.blue), quantity: 1)])
        app.currency = "KWD"
        app.changeOption(9301) { $0.price = 1 }
        shop.menu = try app.menu()
        #expect(try changes(shop.decide(expectedTotal: total)) == ["currency USD KWD"])
        let basket = try #require(shop.basket).after([.edit(LineID(rawValue: 1), LineEdit(note: "rare"))], shop.menu)
        #expect(basket.lines[0].options.map(\.total) == [32, 150] && basket.currency == "KWD")
        shop.basket = basket
        total = 805 + 32 + 150
        #expect(try shop.decide(expectedTotal: total).order != nil)
    }

    @Test("A stored line cannot be read if its options differ from its dish's selection, whatever their order")
    func storedLines() throws {
        let app = MenuFixture.withOptions()
        let basket = try Basket.empty().after([.addItem(RawDish(2001, options: Self.blue), quantity: 2)], app.menu())
        let line = basket.lines[0]
        func read(_ options: [LineOption], _ dish: Dish) -> Line? {
            Line(id: line.id, dish: dish, quantity: 2, unitPrice: line.unitPrice, options: options)
        }
        let selection = try #require(Selection(line.options))
        #expect(read(line.options, Dish(2001, selection: selection)) == line)
        #expect(read([], line.dish) == nil && read(line.options, Dish(2001)) == nil)
        #expect(read(line.options + line.options, line.dish) == nil)
        // The display order of the options is not part of the selection.
        #expect(read(line.options.reversed(), line.dish)?.options == line.options.reversed())
    }
}
