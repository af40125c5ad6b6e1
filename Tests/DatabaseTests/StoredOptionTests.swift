// Selected options in the rows of baskets and orders: they are restored completely, staff can read them, and an invalid
// option fails only the request for its row. Tests StoredOption alone, and with write_baskets and place_orders.
import Ordering
import Postgres
import Shop
import Support
import TestBasics
import Testing

@testable import Database

@Suite("Stored selections") struct StoredOptionTests {
    private let burger = MenuItemID(rawValue: 2001)

    @Test(
        "A selection on three levels is restored with titles and prices in a basket, a change and an order"
    )
    func roundTrip() async throws {
        try await ShopFixture.withTwoServers { firstServer, secondServer in
            let menu = try Menu.withExtras(try await firstServer.storage.loadMenu().menu)
            var basket = Basket(id: firstServer.makeBasketID(), currency: menu.currency.code)
            for dish in [
                RawDish(burger, options: RawOptionChoice.cheeses), RawDish(burger), RawDish(MenuItemID(rawValue: 3001)),
            ] {
                basket = try basket.applying(.addItem(dish, quantity: 2), menu: menu).get()
            }
            let set = (0..<2).map {
                RawDish(MenuItemID(rawValue: 2002), options: $0 == 0 ? RawOptionChoice.cheeses : [])
            }
            basket = try basket.applying(.addSale(SalesGroupID(rawValue: 200), set), menu: menu).get()
            #expect(
                basket.lines[0].options.count == 3 && basket.sets[0].items.count == 2, "the basket has options to store"
            )
            #expect(
                try await firstServer.storage.writeBaskets([BasketWrite(readVersion: nil, basket: basket)]) == [
                    basket.id
                ])
            #expect(try await secondServer.storage.loadBaskets([basket.id]).baskets == [basket.id: basket])

            let more = try basket.applying(.increment(.line(basket.lines[0].id)), menu: menu).get()
            #expect(more.lines[0].quantity == 3)
            #expect(
                try await secondServer.storage.writeBaskets([BasketWrite(readVersion: basket.version, basket: more)])
                    == [basket.id])
            #expect(try await firstServer.storage.loadBaskets([basket.id]).baskets == [basket.id: more])

            let draft = try OrderDraft.accepted(more, menu)
            #expect(try await firstServer.storage.placeOrders([draft], ifMenuRevisionIs: menu.revision).count == 1)
            for isCancelled in [false, true] {
                if isCancelled { #expect(try await secondServer.storage.cancelOrder(more.id) == .cancelled) }
                let order = try #require(try await secondServer.storage.loadOrder(more.id))
                #expect(order.lines == draft.lines && order.sets == draft.sets)
                #expect(order.lines[0].line.options == more.lines[0].options)
            }
        }
    }

    @Test("Staff see the selected options in a line of an order, and null in a line without options")
    func staffView() async throws {
        try await ShopFixture.with { fixture async throws in
            let menu = try Menu.withExtras(try await fixture.storage.loadMenu().menu)
            var basket = Basket(id: fixture.makeBasketID(), currency: menu.currency.code)
            basket = try basket.applying(
                .addItem(RawDish(burger, options: RawOptionChoice.cheeses), quantity: 1), menu: menu
            ).get()
            basket = try basket.applying(.addItem(MenuItemID(rawValue: 3001), quantity: 1), menu: menu).get()
            _ = try await fixture.storage.writeBaskets([BasketWrite(readVersion: nil, basket: basket)])
            _ = try await fixture.storage.placeOrders([OrderDraft.accepted(basket, menu)])
            let rows = try await fixture.database.psqlAsStaff(
                """
                select position, jsonb_path_query_array(options, '$[*].title'), options #> '{1,options,0,options,0}'
                from order_lines order by position
                """)
            #expect(
                rows == """
                    1|["Cheese \\"extra\\"", "Cheese \\"extra\\"", "No onions \\\\ 🧅"]\
                    |{"id": 2401, "price": 500, "title": "Truffle", "total": 4500, "group_id": 93, "quantity": 9}
                    2||
                    """)
        }
    }

    @Test("The most expensive item with the most expensive options can be stored and ordered")
    func maximumPrice() async throws {
        try await ShopFixture.with { fixture async throws in
            try await fixture.database.psql(
                """
                update menu_items set price = 100000000 where id = 2001; \
                update options set price = 100000000, maximum = 99 where id in (1201, 1202)
                """
            )
            let revision = try await fixture.storage.loadMenuRevision().revision
            try await eventually("the menu has these prices") {
                fixture.shop.menu.current?.menu.revision ?? 0 >= revision
            }
            let chosen = [1102, 1201, 1202].map { RawOptionChoice($0, quantity: $0 == 1102 ? 1 : 3) }
            let basket = try await fixture.makeBasket([:])
            let changed = try await fixture.shop.baskets.change(
                basket.basket.id, .addItem(RawDish(MenuItemID(rawValue: 2001), options: chosen), quantity: 99)
            ).get()
            #expect(changed.total.minorUnits == 99 * 700_000_000)
            #expect(try await fixture.shop.checkouts.submit(fixture.makeDraft(changed, by: Guest(1))).isPlaced)
        }
    }

    @Test("A row without options has null, and lines of one item may differ by options alone")
    func plainLines() async throws {
        try await ShopFixture.with { fixture async throws in
            let draft = try await fixture.makeDraft(fixture.makeBasket([3001: 1]), by: Guest(1))
            #expect(try await fixture.shop.checkouts.submit(draft).isPlaced)
            #expect(
                try await fixture.database.psql(
                    "select options is null, (select options is null from baskets) from orders") == "t|t"
            )
            let menu = try Menu.withExtras(try await fixture.storage.loadMenu().menu)
            var basket = Basket(id: fixture.makeBasketID(), currency: menu.currency.code)
            for options in [[], RawOptionChoice.cheeses, [RawOptionChoice(2102)]] {
                basket = try basket.applying(.addItem(RawDish(burger, options: options), quantity: 1), menu: menu).get()
            }
            #expect(basket.lines.count == 3)
            _ = try await fixture.storage.writeBaskets([BasketWrite(readVersion: nil, basket: basket)])
            // The same options at another price are the same line.
            let twice = """
                (select array_agg(row(option_id, group_id, price + n, total, n, parent, quantity, title)::order_option
                     order by n)
                 from unnest(options) cross join generate_series(2, 3) as n where line = 3)
                """
            let text = "2102, 91, 0, 0"
            for (wrong, rule) in [
                (twice, "basket_lines_are_distinct"), ("'{}'", "basket_lines_are_complete"),
                ("array[null]::order_option[]", "basket_lines_are_complete"),
                ("array[options]", "basket_lines_are_complete"),
                ("array[row(\(text), 4, null, 1, 'A')]::order_option[]", "basket_lines_are_complete"),
                ("array[row(\(text), 0, null, 1, 'A')]::order_option[]", "basket_lines_are_complete"),
                ("array[row(\(text), 1, 1, 1, 'A')]::order_option[]", "basket_lines_are_complete"),
                ("array[row(\(text), 1, null, 1, null)]::order_option[]", "basket_lines_are_complete"),
            ] {
                let refusal = await #expect(throws: PsqlFailed.self) {
                    try await fixture.database.psql("update baskets set options = \(wrong) where state = 'open'")
                }
                #expect(refusal?.output.contains(rule) == true, "\(wrong)")
            }
        }
    }

    @Test("An invalid option fails the checkout, the change and the replay of its own row only")
    func invalidOptions() async throws {
        func option(
            _ id: Int = 1, price: String = "0", total: String = "0", below parent: Int? = nil, quantity: Int = 1
        ) -> String {
            "row(\(id), 1, \(price), \(total), 1, \(parent.map(String.init) ?? "null"), \(quantity), 'A')"
        }
        func chain(_ count: Int) -> [String] {
            (1...count).map { option($0, below: $0 == 1 ? nil : $0 - 1) }
        }
        let selections = [
            [option(quantity: 0)], [option(quantity: 100)], [option(quantity: -1)],
            [option(price: "100000001")], [option(price: "-100000001")], [option(price: "9223372036854775807")],
            [option(total: "10000000000000001")], [option(total: "-9223372036854775808")],
            chain(4), chain(300), (1...101).map { option($0) },
            // One option in two entries, and in entries with too many units together.
            [option(), option()], Array(repeating: option(), count: 100),
        ]
        try await ShopFixture.withTwoServers { firstServer, secondServer in
            for selection in selections {
                let stored = "array[\(selection.joined(separator: ", "))]::order_option[]"
                let hint = "\(stored.prefix(200))"
                // Another server fills the baskets, because a server need not read what it has written itself.
                let drafts = try await runConcurrently(Array(0..<6)) {
                    try await secondServer.makeDraft(secondServer.makeBasket(), by: Guest($0))
                }
                let invalidID = drafts[3].basketID
                try await firstServer.database.psql(
                    "update baskets set options = \(stored) where id = '\(invalidID)'")
                let changes = try await runConcurrently(drafts.map(\.basketID)) { id in
                    await Self.decodedValue {
                        try await firstServer.shop.baskets.change(id, .increment(.item(burger))).get().lines[0].quantity
                            == 2
                    }
                }
                #expect(changes == drafts.map { $0.basketID == invalidID ? nil : true }, "\(hint)")
                let placed = try await runConcurrently(drafts) { draft in
                    let repeatedDraft =
                        draft.basketID == invalidID
                        ? draft
                        : try await secondServer.makeDraft(
                            #require(await secondServer.shop.baskets.load(draft.basketID)), by: Guest(1))
                    return await Self.decodedValue {
                        try await firstServer.shop.checkouts.submit(repeatedDraft).isPlaced
                    }
                }
                #expect(placed == drafts.map { $0.basketID == invalidID ? nil : true }, "\(hint)")
            }
            let drafts = try await runConcurrently(Array(0..<6)) {
                try await secondServer.makeDraft(secondServer.makeBasket(), by: Guest($0))
            }
            for draft in drafts.dropFirst() { #expect(try await secondServer.shop.checkouts.submit(draft).isPlaced) }
            try await firstServer.database.psql(
                """
                update orders set options = array[\(option(quantity: 0))]::order_option[]
                where id = '\(drafts[3].basketID)'
                """)
            let repeated = try await runConcurrently(drafts) { draft in
                await Self.decodedValue { try await firstServer.shop.checkouts.submit(draft).order != nil }
            }
            #expect(repeated == [true, true, true, nil, true, true])
        }
    }

    @Test("A selection with 100 entries is read from a basket")
    func bounds() async throws {
        try await ShopFixture.with { fixture async throws in
            let basket = try await fixture.makeBasket([2001: 1]).basket
            try await fixture.database.psql(
                """
                update baskets set options = array(
                    select row(n, 1, -1, -99, 1, null, 99, 'A')::order_option from generate_series(1, 100) as n)
                """)
            let read = try #require(try await fixture.storage.loadBaskets([basket.id]).baskets[basket.id])
            #expect(read.lines[0].options.count == 100 && read.lines[0].dish.selection.count == 100)
        }
    }

    @Test("Random options of several lines are restored from their array")
    func randomTrees() throws {
        var random = SeededRandom()
        func options(levels: Int) throws -> [LineOption] {
            guard levels > 0 else { return [] }
            var all: [LineOption] = []
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let option = LineOption(
                    id: OptionID(rawValue: .random(in: 1...99, using: &random)),
                    groupID: OptionGroupID(rawValue: .random(in: 1...99, using: &random)),
                    title: "Nº \(Int.random(in: 0...9, using: &random))", quantity: .random(in: 1...99, using: &random),
                    price: try #require(OptionPrice(minorUnits: .random(in: -100...100, using: &random))),
                    total: .random(in: -9_999...9_999, using: &random), options: try options(levels: levels - 1))
                all.append(try #require(option))
            }
            return all
        }
        for _ in 0..<1_000 {
            let lines = try (0..<Int.random(in: 0...5, using: &random)).map { _ in
                try options(levels: Selection.maximumDepth)
            }
            var stored: [StoredOption] = []
            for (index, options) in lines.enumerated() { stored.append(options, ofLine: index + 1) }
            #expect(try StoredOption.trees(stored, lineCount: lines.count) == lines, "\(random)")
        }
    }

    @Test("Options with impossible lines and parents are rejected, and never trap")
    func hostileTrees() throws {
        var random = SeededRandom()
        let positions: [Int16] = [.min, -1, 0, 1, 2, 3, 4, 5, .max]
        var accepted = 0
        for _ in 0..<20_000 {
            let stored = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                StoredOption(
                    id: 1, groupID: 1, line: positions.randomElement(using: &random) ?? 0,
                    parent: Bool.random(using: &random) ? nil : positions.randomElement(using: &random),
                    quantity: 1, title: "A")
            }
            let lineCount = Int.random(in: 0...3, using: &random)
            guard let trees = try? StoredOption.trees(stored, lineCount: lineCount) else { continue }
            accepted += 1
            // Each option is below its parent and in its line, and no option is lost.
            var again: [StoredOption] = []
            for (index, options) in trees.enumerated() { again.append(options, ofLine: index + 1) }
            #expect(trees.count == lineCount && again.map(\.line) == stored.map(\.line), "\(stored) \(random)")
        }
        #expect(accepted > 100)
    }

    /// Returns nil if the row cannot be decoded.
    private static func decodedValue(_ body: () async throws -> Bool) async -> Bool? {
        do { return try await body() } catch ShopFault.failed(let reason) where reason.hasPrefix("undecodable result: ")
        {
            return nil
        } catch {
            Issue.record(error)
            return false
        }
    }
}
