// Prices of dishes with options, and the prices that each option shows.
import Testing

@testable import Ordering

@Suite("Prices of dishes with options")
struct OptionPriceTests {
    private func priced(_ app: MenuFixture, _ chosen: [RawOptionChoice]?, of item: MenuItemID = 2001) throws -> (
        unit: Int64, options: [String]
    ) {
        let priced = try app.menu().optionTree(of: item).priced(app.selection(chosen, of: item))
        let own = try #require(try app.menu().item(item)).currentPrice
        return (priced.unitPrice(own)?.minorUnits ?? -1, priced.options.map(\.summary))
    }

    @Test("Priced options are listed in staff's order, whatever order they were chosen or recorded in")
    func order() throws {
        var app = MenuFixture.withOptions()
        app.changeOption(9101) { $0.groups = [] }
        let chosen: [RawOptionChoice] = [.of(9101), .of(9102), .of(9103)]
        let selection = try app.selection(chosen, of: 2001)
        let before = try app.menu().optionTree(of: 2001).priced(selection)
        #expect(before.options.map(\.id.rawValue) == [9101, 9102, 9103])
        app.changeOption(9101) { $0.position = 99_999 }
        let offered = try app.menu().optionTree(of: 2001)
        let after = offered.priced(selection)
        #expect(after.options.map(\.id.rawValue) == [9102, 9103, 9101])
        // Recorded options give the same selection in any order, and keep their prices.
        #expect(selection.matches(before.options) && selection.matches(after.options))
        #expect(Selection(after.options) == selection)
        app.changeOption(9101) { $0.isRetired = true }
        let retired = try app.menu().optionTree(of: 2001).priced(selection, recorded: before.options)
        #expect(retired.options.map(\.id.rawValue) == [9102, 9103, 9101])
        #expect(retired.options.last?.title == before.options.first?.title)
    }

    @Test("The included units are the cheapest options that cost something, and all other options keep their price")
    func included() throws {
        var app = MenuFixture.withOptions()
        app.changeOption(9101) { $0.groups = [] }
        // Of 100, 100 and 150 the first 100 is included. Negative prices are not part of the included units.
        #expect(
            try priced(app, [.of(9101, 2), .of(9102)]) == (
                1055, ["2 x 9101 of 91 at 100 = 100", "1 x 9102 of 91 at 150 = 150"]
            ))
        #expect(
            try priced(app, [.of(9103), .of(9102)]) == (
                755, ["1 x 9102 of 91 at 150 = 0", "1 x 9103 of 91 at -50 = -50"]
            ))
        app.changeGroup(91) { $0.included = 2 }
        #expect(
            try priced(app, [.of(9101, 2), .of(9102)]).options == [
                "2 x 9101 of 91 at 100 = 0", "1 x 9102 of 91 at 150 = 150",
            ])
        app.changeGroup(91) { $0.included = .max }
        #expect(try priced(app, [.of(9101, 2), .of(9102)]).unit == 805)
        // A free option uses no included unit.
        app.changeGroup(91) { $0.included = 1 }
        app.changeOption(9103) { $0.price = 0 }
        #expect(try priced(app, [.of(9103), .of(9102)]).unit == 805)
        // Of equal prices, the first option of the selection is included.
        app.changeOption(9101) { $0.price = 150 }
        #expect(
            try priced(app, [.of(9102), .of(9101)]).options == [
                "1 x 9101 of 91 at 150 = 0", "1 x 9102 of 91 at 150 = 150",
            ])
    }

    @Test("An option costs once for each unit of its parent, and the parent group's included units do not cover it")
    func nested() throws {
        let app = MenuFixture.withOptions()
        let blue: [RawOptionChoice] = [.of(9202, 1, [.of(9301, 3)])]
        #expect(
            try priced(app, [.of(9101, 2, blue)]) == (
                3965,
                ["2 x 9101 of 91 at 100 = 3160 [1 x 9202 of 92 at 30 = 3060 [3 x 9301 of 93 at 500 = 3000]]"]
            ))
        // The same option twice with different kinds: the first one is included.
        #expect(
            try priced(app, [.of(9101, 1, [.of(9202)]), .of(9101)]).options == [
                "1 x 9101 of 91 at 100 = 0 [1 x 9201 of 92 at 0 = 0]",
                "1 x 9101 of 91 at 100 = 130 [1 x 9202 of 92 at 30 = 30]",
            ])
    }

    @Test("A unit price is at least zero, and a sale percent reduces only the item's own price")
    func bounds() throws {
        var app = MenuFixture.withOptions()
        app.changeOption(9103) { $0.price = -900 }
        app.changeItem(2002) { $0.price = 999 }
        #expect(try priced(app, [.of(9103)]).unit == 0)
        let basket = try Basket.empty().after(
            [
                .addItem(RawDish(2002, options: [.of(9103), .of(9101), .of(9102)]), quantity: 2),
                .addItem(RawDish(2002, options: [.of(9103)]), quantity: 1),
            ], app.menu())
        let lines = PricedBasket(basket, menu: try app.menu()).lines
        // 999 less 10 % is 899. The options cost the same in both prices.
        #expect(
            lines.map(\.unitPrice.minorUnits) == [149, 0] && lines.map(\.regularUnitPrice.minorUnits) == [249, 99])
        #expect(
            lines.map(\.total.minorUnits) == [298, 0]
                && lines.map { $0.line.options.map(\.total) } == [[0, 150, -900], [-900]])
    }

    @Test("The most expensive dish that the tables allow is priced without overflow, and so are 99 units of it")
    func mostExpensiveDish() throws {
        var app = MenuFixture.withOptions()
        app.changeItem(2001) { $0.price = 100_000_000 }
        app.groups = [
            MenuFixture.OptionGroupRow(
                id: 91, options: [MenuFixture.OptionRow(id: 9101, price: 100_000_000, maximum: 99, groups: [92])]),
            MenuFixture.OptionGroupRow(
                id: 92, options: [MenuFixture.OptionRow(id: 9201, price: 100_000_000, maximum: 99, groups: [93])]),
            MenuFixture.OptionGroupRow(
                id: 93,
                options: (1...98).map { MenuFixture.OptionRow(id: 9300 + $0, price: 100_000_000, maximum: 99) }),
        ]
        let all = (1...98).map { RawOptionChoice.of(9300 + Int64($0), 99) }
        let chosen: [RawOptionChoice] = [.of(9101, 99, [.of(9201, 99, all)])]
        // Guests cannot choose this now, but a basket may have recorded it at lower prices.
        func entry(_ id: Int64, _ below: [Selection.Entry] = []) throws -> Selection.Entry {
            let selection = try #require(Selection(below))
            return try #require(Selection.Entry(OptionID(rawValue: id), quantity: 99, selection: selection))
        }
        let selection = try #require(Selection([entry(9101, [entry(9201, (9301...9398).map { try entry($0) })])]))
        let menu = try app.menu()
        let priced = menu.optionTree(of: 2001).priced(selection)
        let units: Int64 = 99 * (1 + 99 * (1 + 98 * 99))
        #expect(priced.options.first?.total == units * 100_000_000)
        #expect(priced.unitPrice(.highestPrice) == nil, "more than a dish can cost")
        // 1 + 1 + 20 × 99 + 17 units reach the highest unit price. With one more unit, the error names the option
        // with too many.
        func most(_ last: Int64) -> [RawOptionChoice] {
            let below = all.prefix(20) + [.of(9321, last)]
            return [.of(9101, 1, [.of(9201, 1, Array(below))])]
        }
        let dearest = try Basket.empty().after([.addItem(RawDish(2001, options: most(17)), quantity: 99)], menu)
        #expect(PricedBasket(dearest, menu: menu).total.minorUnits == 99 * Money.highestUnitPrice.minorUnits)
        #expect(
            try app.choiceErrors(most(18)) == [
                "options/91/9101/92/9201/93 option_quantity_out_of_range chosen=99 maximum=98 optionId=9301"
            ])
        #expect(
            try app.choiceErrors(chosen) == [
                "options/91/9101/92 option_quantity_out_of_range chosen=99 maximum=0 optionId=9201"
            ])
        // The cheapest dish.
        for group in app.groups.indices {
            for index in app.groups[group].options.indices { app.groups[group].options[index].price *= -1 }
        }
        let cheap = try app.menu().optionTree(of: 2001).priced(selection)
        #expect(cheap.options.first?.total == -units * 100_000_000 && cheap.unitPrice(.highestPrice) == .zero)
        // The total of a stored option is bounded too.
        let one = try #require(OptionPrice(minorUnits: 1))
        for (quantity, total) in [(0, 0), (100, 0), (1, .max), (1, .min), (1, 10_000_000_000_000_001)] as [(Int, Int64)]
        {
            #expect(
                LineOption(
                    id: OptionID(rawValue: 1), groupID: OptionGroupID(rawValue: 1), title: "", quantity: quantity,
                    price: one, total: total)
                    == nil)
        }
    }

    @Test("A set costs the sum of its dishes with their default options, on the menu and in a basket")
    func sets() throws {
        var app = MenuFixture.withOptions()
        app.changeGroup(91) { $0.included = 0 }
        app.changeOption(9102) { $0.isDefault = true }
        let menu = try app.menu()
        #expect(menu.setTotal(of: try #require(menu.sale(200))).minorUnits == 3 * (899 + 150))
        let basket = try Basket.empty().after([.addSale(200)], menu)
        #expect(PricedBasket(basket, menu: menu).total.minorUnits == 3 * (899 + 150))
        // The price is shown without options if an option must be chosen first.
        app.changeGroup(91) { $0.minimum = 2 }
        #expect(try app.menu().setTotal(of: try #require(menu.sale(200))).minorUnits == 3 * 899)
    }
}
