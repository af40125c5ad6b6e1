// Selected options in the rows of baskets and orders: they are restored completely, staff can read them, and an invalid
// document fails only the request for its row. Tests LineColumns with write_baskets and place_orders.
import Database
import Ordering
import Postgres
import Shop
import Support
import Testing

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

    @Test("A line without options has null in its columns, and lines of one item may differ by options alone")
    func plainLines() async throws {
        try await ShopFixture.with { fixture async throws in
            let draft = try await fixture.makeDraft(fixture.makeBasket([3001: 1]), by: Guest(1))
            #expect(try await fixture.shop.checkouts.submit(draft).isPlaced)
            #expect(
                try await fixture.database.psql(
                    "select line_options is null, (select line_options is null from baskets) from orders") == "t|t"
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
                update baskets set line_options =
                    array[null, replace(line_options[3]::text, '"price": 0', '"price": 7')::jsonb, line_options[3]]
                where state = 'open'
                """
            let refusal = await #expect(throws: PsqlFailed.self) { try await fixture.database.psql(twice) }
            #expect(refusal?.output.contains("basket_lines_are_distinct") == true)
            for wrong in ["'{}'", "array['[]'::jsonb]", "array[array[null, null, null]::jsonb[]]"] {
                let refusal = await #expect(throws: PsqlFailed.self) {
                    try await fixture.database.psql("update baskets set line_options = \(wrong) where state = 'open'")
                }
                #expect(refusal?.output.contains("basket_lines_are_complete") == true, "\(wrong)")
            }
        }
    }

    @Test("An invalid document fails the checkout, the change and the replay of its own row only")
    func invalidDocuments() async throws {
        try await ShopFixture.withTwoServers { firstServer, secondServer in
            let valid = #"{"id": 1, "group_id": 1, "title": "A", "quantity": 1, "price": 0, "total": 0}"#
            let below = (0..<4).reduce("[]") { below, _ in #"[\#(valid.dropLast()), "options": \#(below)}]"# }
            let deep =
                String(repeating: #"[\#(valid.dropLast()), "options": "#, count: 300) + "[]"
                + String(repeating: "}]", count: 300)
            let documents =
                [
                    "{}", "1", "\"\"", "[1]", "[[]]", "[{}]", "[null]", below, deep,
                    "[\(Array(repeating: valid, count: 100).joined(separator: ","))]",
                    "[\((1...101).map { valid.replacing("\"id\": 1", with: "\"id\": \($0)") }.joined(separator: ","))]",
                ]
                + [
                    ("\"quantity\": 1", "\"quantity\": 0"), ("\"quantity\": 1", "\"quantity\": 100"),
                    ("\"quantity\": 1", "\"quantity\": 1.5"),
                    ("\"price\": 0", "\"price\": 100000001"), ("\"price\": 0", "\"price\": null"),
                    ("\"total\": 0", "\"total\": 1e17"),
                    ("\"id\": 1", "\"id\": 1e400"), ("\"id\": 1", "\"id\": \"1\""),
                    ("\"title\": \"A\"", "\"title\": []"),
                    ("\"total\": 0", "\"total\": 0, \"options\": {}"),
                ].map { "[\(valid.replacing($0.0, with: $0.1))]" } + ["[\(valid), \(valid)]"]
            for document in documents {
                // Another server fills the baskets, because a server need not read what it has written itself.
                let drafts = try await runConcurrently(Array(0..<6)) {
                    try await secondServer.makeDraft(secondServer.makeBasket(), by: Guest($0))
                }
                let invalidID = drafts[3].basketID
                try await firstServer.database.psql(
                    "update baskets set line_options = array['\(document)'::jsonb] where id = '\(invalidID)'")
                let changes = try await runConcurrently(drafts.map(\.basketID)) { id in
                    await Self.decodedValue {
                        try await firstServer.shop.baskets.change(id, .increment(.item(burger))).get().lines[0].quantity
                            == 2
                    }
                }
                #expect(changes == drafts.map { $0.basketID == invalidID ? nil : true }, "\(document)")
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
                #expect(placed == drafts.map { $0.basketID == invalidID ? nil : true }, "\(document)")
            }
            let drafts = try await runConcurrently(Array(0..<6)) {
                try await secondServer.makeDraft(secondServer.makeBasket(), by: Guest($0))
            }
            for draft in drafts.dropFirst() { #expect(try await secondServer.shop.checkouts.submit(draft).isPlaced) }
            try await firstServer.database.psql(
                "update orders set line_options = array['[1]'::jsonb] where id = '\(drafts[3].basketID)'")
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
            let entries = (1...100).map {
                #"{"id": \#($0), "group_id": 1, "title": "A", "quantity": 99, "price": -1, "total": -99}"#
            }
            try await fixture.database.psql(
                "update baskets set line_options = array['[\(entries.joined(separator: ","))]'::jsonb]")
            let read = try #require(try await fixture.storage.loadBaskets([basket.id]).baskets[basket.id])
            #expect(read.lines[0].options.count == 100 && read.lines[0].dish.selection.count == 100)
        }
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
