// What was chosen with a dish, through the rows of baskets and orders and back: nothing of it is lost, staff can read it, and a document that
// can't be one fails nobody but who asked for its row. Tests LineColumns with write_baskets and place_orders.
import Database
import Ordering
import Postgres
import Shop
import Support
import Testing

@Suite("What was chosen is stored") struct StoredOptionTests {
    private let burger = MenuItemID(rawValue: 2001)

    @Test(
        "a selection on three levels comes back as it was, with its titles and prices: in a basket, after a change, in its order, cancelled"
    )
    func roundTrip() async throws {
        try await OpenShop.two { one, other in
            let menu = try Menu.withExtras(try await one.storage.loadMenu().menu)
            var basket = Basket(id: one.newID(), currency: menu.currency.code)
            for dish in [ChosenDish(burger, options: ChosenOption.cheeses), ChosenDish(burger), ChosenDish(MenuItemID(rawValue: 3001))] {
                basket = try basket.applying(.addItem(dish, quantity: 2), menu: menu).get()
            }
            let set = (0..<2).map { ChosenDish(MenuItemID(rawValue: 2002), options: $0 == 0 ? ChosenOption.cheeses : []) }
            basket = try basket.applying(.addSale(SalesGroupID(rawValue: 200), set), menu: menu).get()
            #expect(basket.lines[0].options.count == 3 && basket.sets[0].items.count == 2, "there is something to store")
            #expect(try await one.storage.writeBaskets([BasketWrite(readVersion: nil, basket: basket)]) == [basket.id])
            #expect(try await other.storage.loadBaskets([basket.id]).baskets == [basket.id: basket])

            let more = try basket.applying(.increment(.line(basket.lines[0].id)), menu: menu).get()
            #expect(more.lines[0].quantity == 3)
            #expect(try await other.storage.writeBaskets([BasketWrite(readVersion: basket.version, basket: more)]) == [basket.id])
            #expect(try await one.storage.loadBaskets([basket.id]).baskets == [basket.id: more])

            let draft = try OrderDraft.decided(more, menu)
            #expect(try await one.storage.placeOrders([draft], ifMenuIs: menu.revision).count == 1)
            for isCancelled in [false, true] {
                if isCancelled { #expect(try await other.storage.cancelOrder(more.id) == .cancelled) }
                let order = try #require(try await other.storage.loadOrder(more.id))
                #expect(order.lines == draft.lines && order.sets == draft.sets)
                #expect(order.lines[0].line.options == more.lines[0].options)
            }
        }
    }

    @Test("staff read in a line of an order what was chosen with it, and null where nothing was")
    func staff() async throws {
        try await OpenShop.with { open async throws in
            let menu = try Menu.withExtras(try await open.storage.loadMenu().menu)
            var basket = Basket(id: open.newID(), currency: menu.currency.code)
            basket = try basket.applying(.addItem(ChosenDish(burger, options: ChosenOption.cheeses), quantity: 1), menu: menu).get()
            basket = try basket.applying(.addItem(MenuItemID(rawValue: 3001), quantity: 1), menu: menu).get()
            _ = try await open.storage.writeBaskets([BasketWrite(readVersion: nil, basket: basket)])
            _ = try await open.storage.placeOrders([OrderDraft.decided(basket, menu)])
            let rows = try await open.database.staff(
                """
                select position, jsonb_path_query_array(options, '$[*].title'), options #> '{1,options,0,options,0}' from order_lines order by position
                """)
            #expect(
                rows == """
                    1|["Cheese \\"extra\\"", "Cheese \\"extra\\"", "No onions \\\\ 🧅"]|{"id": 2401, "price": 500, "title": "Truffle", "total": 4500, "group_id": 93, "quantity": 9}
                    2||
                    """)
        }
    }

    @Test("a dish may cost as much with its options as they come to: the dearest item with the dearest options is stored and ordered")
    func dearest() async throws {
        try await OpenShop.with { open async throws in
            try await open.database.psql(
                "update menu_items set price = 100000000 where id = 2001; update options set price = 100000000, maximum = 99 where id in (1201, 1202)"
            )
            let revision = try await open.storage.loadMenuRevision().revision
            try await eventually("the menu has these prices") { open.shop.menu.current?.menu.revision ?? 0 >= revision }
            let chosen = [1102, 1201, 1202].map { ChosenOption($0, quantity: $0 == 1102 ? 1 : 3) }
            let basket = try await open.basket([:])
            let changed = try await open.shop.baskets.change(
                basket.basket.id, .addItem(ChosenDish(MenuItemID(rawValue: 2001), options: chosen), quantity: 99)
            ).get()
            #expect(changed.total.minorUnits == 99 * 700_000_000)
            #expect(try await open.shop.checkouts.submit(open.draft(changed, by: Guest(1))).isPlaced)
        }
    }

    @Test("plain lines leave no trace in the columns of options, and two lines of one item may differ in what was chosen alone")
    func apart() async throws {
        try await OpenShop.with { open async throws in
            let draft = try await open.draft(open.basket([3001: 1]), by: Guest(1))
            #expect(try await open.shop.checkouts.submit(draft).isPlaced)
            #expect(
                try await open.database.psql("select line_options is null, (select line_options is null from baskets) from orders") == "t|t"
            )
            let menu = try Menu.withExtras(try await open.storage.loadMenu().menu)
            var basket = Basket(id: open.newID(), currency: menu.currency.code)
            for options in [[], ChosenOption.cheeses, [ChosenOption(2102)]] {
                basket = try basket.applying(.addItem(ChosenDish(burger, options: options), quantity: 1), menu: menu).get()
            }
            #expect(basket.lines.count == 3)
            _ = try await open.storage.writeBaskets([BasketWrite(readVersion: nil, basket: basket)])
            // The same choice at another price is the same line.
            let twice = """
                update baskets set line_options = array[null, replace(line_options[3]::text, '"price": 0', '"price": 7')::jsonb, line_options[3]]
                where state = 'open'
                """
            let refusal = await #expect(throws: PsqlFailed.self) { try await open.database.psql(twice) }
            #expect(refusal?.output.contains("basket_holds_each_once") == true)
            for wrong in ["'{}'", "array['[]'::jsonb]", "array[array[null, null, null]::jsonb[]]"] {
                let refusal = await #expect(throws: PsqlFailed.self) {
                    try await open.database.psql("update baskets set line_options = \(wrong) where state = 'open'")
                }
                #expect(refusal?.output.contains("basket_lines_are_whole") == true, "\(wrong)")
            }
        }
    }

    @Test("a document that can't be what was chosen fails the checkout, the change and the repetition of its own row, and none beside it")
    func hostile() async throws {
        try await OpenShop.two { one, other in
            let good = #"{"id": 1, "group_id": 1, "title": "A", "quantity": 1, "price": 0, "total": 0}"#
            let below = (0..<4).reduce("[]") { below, _ in #"[\#(good.dropLast()), "options": \#(below)}]"# }
            let deep = String(repeating: #"[\#(good.dropLast()), "options": "#, count: 300) + "[]" + String(repeating: "}]", count: 300)
            let documents =
                [
                    "{}", "1", "\"\"", "[1]", "[[]]", "[{}]", "[null]", below, deep,
                    "[\(Array(repeating: good, count: 100).joined(separator: ","))]",
                    "[\((1...101).map { good.replacing("\"id\": 1", with: "\"id\": \($0)") }.joined(separator: ","))]",
                ]
                + [
                    ("\"quantity\": 1", "\"quantity\": 0"), ("\"quantity\": 1", "\"quantity\": 100"),
                    ("\"quantity\": 1", "\"quantity\": 1.5"),
                    ("\"price\": 0", "\"price\": 100000001"), ("\"price\": 0", "\"price\": null"), ("\"total\": 0", "\"total\": 1e17"),
                    ("\"id\": 1", "\"id\": 1e400"), ("\"id\": 1", "\"id\": \"1\""), ("\"title\": \"A\"", "\"title\": []"),
                    ("\"total\": 0", "\"total\": 0, \"options\": {}"),
                ].map { "[\(good.replacing($0.0, with: $0.1))]" } + ["[\(good), \(good)]"]
            for document in documents {
                // Filled elsewhere: what a server has written itself it need not read.
                let drafts = try await together(Array(0..<6)) { try await other.draft(other.basket(), by: Guest($0)) }
                let bad = drafts[3].basketID
                try await one.database.psql("update baskets set line_options = array['\(document)'::jsonb] where id = '\(bad)'")
                let changes = try await together(drafts.map(\.basketID)) { id in
                    await Self.isUndecodable {
                        try await one.shop.baskets.change(id, .increment(.item(burger))).get().lines[0].quantity == 2
                    }
                }
                #expect(changes == drafts.map { $0.basketID == bad ? nil : true }, "\(document)")
                let placed = try await together(drafts) { draft in
                    let again =
                        draft.basketID == bad
                        ? draft : try await other.draft(#require(await other.shop.baskets.load(draft.basketID)), by: Guest(1))
                    return await Self.isUndecodable { try await one.shop.checkouts.submit(again).isPlaced }
                }
                #expect(placed == drafts.map { $0.basketID == bad ? nil : true }, "\(document)")
            }
            let drafts = try await together(Array(0..<6)) { try await other.draft(other.basket(), by: Guest($0)) }
            for draft in drafts.dropFirst() { #expect(try await other.shop.checkouts.submit(draft).isPlaced) }
            try await one.database.psql("update orders set line_options = array['[1]'::jsonb] where id = '\(drafts[3].basketID)'")
            let repeated = try await together(drafts) { draft in
                await Self.isUndecodable { try await one.shop.checkouts.submit(draft).order != nil }
            }
            #expect(repeated == [true, true, true, nil, true, true])
        }
    }

    @Test("what can't be read below the third level, or is too much for a basket, is no selection; what a basket can hold is")
    func bounds() async throws {
        try await OpenShop.with { open async throws in
            let basket = try await open.basket([2001: 1]).basket
            let entries = (1...100).map { #"{"id": \#($0), "group_id": 1, "title": "A", "quantity": 99, "price": -1, "total": -99}"# }
            try await open.database.psql("update baskets set line_options = array['[\(entries.joined(separator: ","))]'::jsonb]")
            let read = try #require(try await open.storage.loadBaskets([basket.id]).baskets[basket.id])
            #expect(read.lines[0].options.count == 100 && read.lines[0].dish.selection.count == 100)
        }
    }

    /// Nil where a row can't be read.
    private static func isUndecodable(_ body: () async throws -> Bool) async -> Bool? {
        do { return try await body() } catch ShopFault.failed(let reason) where reason.hasPrefix("undecodable result: ") {
            return nil
        } catch {
            Issue.record(error)
            return false
        }
    }
}
