// Options in a basket: how choices form lines, which choices are rejected and where, and what a line shows.
import Testing

@testable import Ordering

@Suite("Basket: dishes with options")
struct BasketOptionTests {
    private static func add(
        _ chosen: [RawOptionChoice]?, _ item: MenuItemID = 2001, quantity: Int64 = 1, note: String? = nil
    ) -> BasketChange {
        .addItem(RawDish(item, options: chosen, note: note), quantity: quantity)
    }

    @Test("Equal choices share a line, different ones get their own, and an omitted list selects the defaults")
    func lines() throws {
        var app = MenuFixture.withOptions()
        app.changeOption(9102) { $0.isDefault = true }
        let menu = try app.menu()
        let blue: [RawOptionChoice] = [.of(9101, 1, [.of(9202)]), .of(9102)]
        let basket = try Basket.empty().after(
            [
                Self.add(nil), Self.add([]), Self.add([.of(9102)], quantity: 2), Self.add(blue),
                Self.add(blue.reversed()),
                Self.add(blue, note: "rare"), Self.add([.of(9103)]),
            ], menu)
        let lines = PricedBasket(basket, menu: menu).lines
        #expect(lines.map(\.quantity) == [3, 1, 2, 1, 1])
        #expect(lines.map(\.unitPrice.minorUnits) == [805, 805, 985, 985, 755])
        #expect(
            lines[2].line.options.map(\.summary) == [
                "1 x 9101 of 91 at 100 = 30 [1 x 9202 of 92 at 30 = 30]", "1 x 9102 of 91 at 150 = 150",
            ])
        #expect(lines[2].line.options[0].title == "Option 9101" && lines[1].line.options.isEmpty)
        #expect(
            lines.map(\.previousUnitPrice) == [nil, nil, nil, nil, nil] && lines.map(\.isOrderable).allSatisfy(\.self))
        #expect(PricedBasket(basket, menu: menu).total.minorUnits == 6930)
        // The item id is ambiguous, because several lines have it.
        #expect(basket.applying(.increment(2001), menu: menu) == .failure(.severalLines(basket.lines.map(\.id))))
    }

    @Test("A dish with an invalid choice and note is rejected with every error, and the basket stays unchanged")
    func rejections() throws {
        var app = MenuFixture.withOptions()
        app.changeGroup(91) { $0.minimum = 1 }
        let (basket, menu) = (Basket.empty(), try app.menu())
        #expect(
            basket.applying(Self.add(nil), menu: menu).rejectionSummaries == [
                "options/91 option_group_minimum chosen=0 minimum=1"
            ])
        let note = String(repeating: "x", count: 141)
        #expect(
            basket.applying(Self.add([.of(9102, 2), .of(1)], note: note), menu: menu).rejectionSummaries == [
                "options option_unknown optionId=1",
                "options/91 option_quantity_out_of_range chosen=2 maximum=1 optionId=9102",
                "note too_long limit=140",
            ])
        #expect(
            basket.applying(Self.add([.of(9102)], note: "\u{7}"), menu: menu).rejectionSummaries == [
                "note invalid_note"
            ])
        // An unknown or sold-out item is reported first, then the choice, then the quantity.
        #expect(basket.applying(Self.add([.of(1)], 9999), menu: menu) == .failure(.menuItemNotFound))
        #expect(
            basket.applying(Self.add([.of(1)], quantity: 0), menu: menu).rejectionSummaries.first
                == "options option_unknown optionId=1")
        #expect(
            basket.applying(Self.add([.of(9102)], quantity: 0), menu: menu) == .failure(.quantityOutOfRange(limit: 99)))
        app.changeItem(2001) { $0.isAvailable = false }
        #expect(try basket.applying(Self.add([.of(1)]), menu: app.menu()) == .failure(.itemSoldOut))
    }

    @Test("A basket with 100 option entries on all levels rejects one more, and still accepts changes that add none")
    func optionLimit() throws {
        var app = MenuFixture()
        app.groups = [
            MenuFixture.OptionGroupRow(
                id: 91, options: (1...99).map { MenuFixture.OptionRow(id: 9100 + $0, price: 1) }),
            MenuFixture.OptionGroupRow(id: 92, options: [MenuFixture.OptionRow(id: 9201, price: 1, groups: [93])]),
            MenuFixture.OptionGroupRow(id: 93, options: [MenuFixture.OptionRow(id: 9301, price: 1, isDefault: true)]),
        ]
        app.itemGroups = [2001: [91], 2002: [92]]
        let menu = try app.menu()
        let refused = Result<Basket, BasketChangeRejection>.failure(.tooManyOptions(limit: 100))
        let most = (1...98).map { RawOptionChoice(9100 + $0) }
        let basket = try Basket.empty().after(
            [Self.add(most, quantity: 9), Self.add([.of(9201)], 2002, quantity: 9)], menu)
        #expect(basket.lines.map(\.dish.selection.count) == [98, 2])
        #expect(basket.applying(Self.add([.of(9101)]), menu: menu) == refused)
        #expect(basket.applying(.addSale(200, [RawDish(2002, options: [.of(9201)])]), menu: menu) == refused)
        let (first, second) = (basket.lines[0].id, basket.lines[1].id)
        #expect(basket.applying(.edit(first, LineEdit(options: most + [.of(9199)])), menu: menu) == refused)
        #expect(
            basket.applying(Self.add(Array(repeating: RawOptionChoice.of(9101), count: 101)), menu: menu) == refused)
        // More of the same dish, lines without options, and replaced options still fit.
        let full = try basket.after(
            [
                .increment(.line(first)), Self.add(most), Self.add([]), .addSale(200),
                .edit(first, LineEdit(options: Array(most.dropFirst()) + [.of(9199)])),
                .edit(second, LineEdit(note: "rare")),
            ], menu)
        #expect(full.lines.map(\.dish.selection.count) == [98, 2, 0])
        #expect(try full.after([.edit(second, LineEdit(options: [])), Self.add([.of(9101)])], menu).lines.count == 4)
    }

    @Test(
        "An edited line gets the new price and joins an equal line, and an invalid edit is rejected with its errors")
    func edits() throws {
        let app = MenuFixture.withOptions()
        let menu = try app.menu()
        let basket = try Basket.empty().after(
            [Self.add([.of(9102)], quantity: 2), Self.add([.of(9103)]), Self.add([], note: "rare")], menu)
        let ids = basket.lines.map(\.id)
        let changed = try basket.after([.edit(ids[1], LineEdit(options: [.of(9101, 2), .of(9102)]))], menu)
        #expect(changed.lines.map(\.id) == ids && changed.lines.map(\.unitPrice.minorUnits) == [805, 1055, 805])
        let joined = try basket.after([.edit(ids[1], LineEdit(quantity: 3, options: [.of(9102)]))], menu)
        #expect(joined.lines.map(\.id) == [ids[0], ids[2]] && joined.lines.map(\.quantity) == [5, 1])
        let noted = try basket.after([.edit(ids[0], LineEdit(options: [], note: "rare"))], menu)
        #expect(noted.lines.map(\.id) == [ids[0], ids[1]] && noted.lines.map(\.quantity) == [3, 1])
        #expect(noted.lines[0].options.isEmpty && noted.lines[0].unitPrice.minorUnits == 805)
        #expect(
            basket.applying(
                .edit(ids[0], LineEdit(quantity: 0, options: [.of(9101, 1, [])], note: "\u{7}")), menu: menu
            ).rejectionSummaries == [
                "options/91/9101/92 option_group_minimum chosen=0 minimum=1", "note invalid_note",
            ])
        #expect(
            try basket.after([.edit(ids[0], LineEdit(note: "x"))], menu).lines[0].dish.selection
                == basket.lines[0].dish.selection)
    }

    @Test("A line with sold-out options accepts no more units, and shows the reason and the end of the sold-out time")
    func unavailableOptions() throws {
        var app = MenuFixture.withOptions()
        let basket = try Basket.empty().after([Self.add([.of(9101), .of(9102)], quantity: 2)], app.menu())
        let (id, until) = (basket.lines[0].id, Instant(microseconds: app.moment.microseconds + 5))
        app.changeOption(9101) { $0.soldOutUntil = until }
        let menu = try app.menu()
        let line = PricedBasket(basket, menu: menu).lines[0]
        #expect(
            line.availability.unavailable == Unavailability(.soldOut, until: until) && line.itemAvailability.isAvailable
        )
        #expect(PricedBasket(basket, menu: menu).actions == [.addItem, .addSale, .decrement, .removeItem, .clear])
        let soldOut = ["options/91 option_sold_out optionId=9101"]
        #expect(basket.applying(.increment(.line(id)), menu: menu).rejectionSummaries == soldOut)
        #expect(basket.applying(.edit(id, LineEdit(quantity: 3)), menu: menu).rejectionSummaries == soldOut)
        #expect(basket.applying(Self.add([.of(9101), .of(9102)]), menu: menu).rejectionSummaries == soldOut)
        #expect(try basket.after([.edit(id, LineEdit(quantity: 1, note: "rare"))], menu).lines[0].quantity == 1)
        #expect(try basket.after([.decrement(.line(id)), .removeItem(.line(id))], menu).isEmpty)
        #expect(try basket.after([.edit(id, LineEdit(quantity: 3, options: [.of(9102)]))], menu).lines[0].quantity == 3)
        #expect(PricedBasket(basket, menu: menu.evaluated(at: until)).isOrderable)

        // A retired option keeps its recorded title and price, and so do the options below it.
        app.changeOption(9102) { ($0.isRetired, $0.title, $0.price) = (true, "Gone", 1) }
        app.changeGroup(92) { $0.isRetired = true }
        let retired = PricedBasket(basket, menu: try app.menu()).lines[0]
        #expect(
            retired.line.options.map(\.summary) == [
                "1 x 9101 of 91 at 100 = 0 [1 x 9201 of 92 at 0 = 0]", "1 x 9102 of 91 at 150 = 150",
            ])
        #expect(
            retired.line.options[1].title == "Option 9102" && retired.availability == .never
                && retired.previousUnitPrice == nil)
        #expect(
            retired.optionErrors.map(\.summaryWithParameters) == [
                "options option_unknown optionId=9102", soldOut[0],
                "options/91/9101/options option_unknown optionId=9201",
            ])
        // They also stay after a change that records the line again.
        let less = try basket.after([.decrement(.line(id))], app.menu())
        #expect(less.lines[0].options == retired.line.options && less.lines[0].dish == basket.lines[0].dish)
        // A menu snapshot without the item reports no option errors.
        let other = MenuFixture(items: [MenuFixture.ItemRow(4001, "Cola Soda", .regular, 285)], sales: [])
        let unknown = PricedBasket(basket, menu: try other.menu()).lines[0]
        #expect(unknown.line == basket.lines[0] && unknown.availability == .never && unknown.optionErrors.isEmpty)
    }

    @Test("A line cannot be ordered after a group becomes required or lowers its maximum, with an error at the group")
    func newlyRequired() throws {
        var app = MenuFixture.withOptions()
        let basket = try Basket.empty().after([Self.add([.of(9101, 2), .of(9102)]), Self.add([])], app.menu())
        app.changeGroup(91) { ($0.minimum, $0.maximum) = (1, 2) }
        let priced = PricedBasket(basket, menu: try app.menu())
        #expect(
            priced.lines.map { $0.optionErrors.map(\.summaryWithParameters) } == [
                ["options/91 option_group_maximum chosen=3 maximum=2"],
                ["options/91 option_group_minimum chosen=0 minimum=1"],
            ])
        #expect(
            priced.lines.map(\.isAvailable) == [true, true] && !priced.isOrderable
                && !priced.actions.contains(.checkout))
        #expect(!priced.actions.contains(.increment))
        #expect(try basket.after([.edit(basket.lines[1].id, LineEdit(note: "rare"))], app.menu()).lines.count == 2)
    }

    @Test("A set takes a choice per unit and defaults for the rest, groups equal units, and costs the sum of its units")
    func sets() throws {
        var app = MenuFixture.withOptions()
        app.changeOption(9102) { $0.isDefault = true }
        app.changeGroup(91) { $0.included = 0 }
        let menu = try app.menu()
        let chosen = [[RawOptionChoice.of(9103)], nil, [.of(9103)]].map { RawDish(2002, options: $0) }
        let basket = try Basket.empty().after([.addSale(200, chosen)], menu)
        let set = PricedBasket(basket, menu: menu).sets[0]
        #expect(set.items.map(\.quantity) == [2, 1] && set.items.map(\.unitPrice.minorUnits) == [849, 1049])
        #expect(set.total.minorUnits == 2747)
        // Units without a choice get the defaults and join a unit on which the same options were chosen.
        let one = try Basket.empty().after([.addSale(200, [RawDish(2002, options: [.of(9102)])])], menu)
        #expect(one.sets[0].items.map(\.quantity) == [3] && one.sets[0].items[0].unitPrice.minorUnits == 1049)
        let changed = try basket.after([.editSale(200, [RawDish(2002, options: [])])], menu)
        #expect(
            changed.sets[0].items.map(\.quantity) == [1, 2]
                && changed.sets[0].items.map(\.unitPrice.minorUnits) == [899, 1049])
        #expect(changed.sets[0].items[1].id == basket.sets[0].items[1].id)
    }

    @Test("Errors in units of a set are reported for each unit, counted from 1, including units without a choice")
    func setErrors() throws {
        var app = MenuFixture.withOptions()
        app.sales[1].entries = [(2002, 2), (2001, 1), (2002, 1)]
        let basket = Basket.empty()
        let units = [
            RawDish(2001, options: [.of(1)]), RawDish(2002, options: []),
            RawDish(2002, options: [.of(9102, 2)], note: "\u{7}"),
        ]
        #expect(
            try basket.applying(.addSale(200, units), menu: app.menu()).rejectionSummaries == [
                "sales/200/items/2001/1/options option_unknown optionId=1",
                "sales/200/items/2002/2/options/91 option_quantity_out_of_range chosen=2 maximum=1 optionId=9102",
                "sales/200/items/2002/2/note invalid_note",
            ])
        #expect(
            try basket.applying(.addSale(200, units + [RawDish(2001), RawDish(4001)]), menu: app.menu())
                .rejectionSummaries == [
                    "sales/200/items/2001 item_not_in_sale",
                    "sales/200/items/2002/2/options/91 option_quantity_out_of_range chosen=2 maximum=1 optionId=9102",
                    "sales/200/items/2002/2/note invalid_note", "sales/200/items/4001 item_not_in_sale",
                ])
        app.changeGroup(91) { $0.minimum = 1 }
        let missing = "option_group_minimum chosen=0 minimum=1"
        #expect(
            try basket.applying(.addSale(200, [RawDish(2002, options: [.of(9102)])]), menu: app.menu())
                .rejectionSummaries == [
                    "sales/200/items/2001/1/options/91 \(missing)", "sales/200/items/2002/2/options/91 \(missing)",
                    "sales/200/items/2002/3/options/91 \(missing)",
                ])
    }
}
