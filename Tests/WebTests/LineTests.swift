// Lines over HTTP: a line is an item with its options and its note, and every change names the line's id.

import Support
import Testing
import Wire

@Suite("Lines", .timeLimit(.minutes(10)))
struct LineTests {
    @Test("A dish joins the line with an equal note, otherwise it becomes a new line, and ids are not reused")
    func notes() async throws {
        try await TestShop.run { shop in
            let storefront = shop.server.storefront
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            _ = try await storefront.addItem(2001, note: " no onions\r\n", to: basket.id)
            let both = try await storefront.addItem(2001, quantity: 2, note: "no onions", to: basket.id)
            #expect(both.lines.map(\.lineId) == [1, 2] && both.lines.map(\.quantity) == [1, 3])
            #expect(
                both.lines.map(\.note) == [nil, "no onions"]
                    && both.lines.allSatisfy { $0.options.map(\.optionId) == [1102] })
            #expect(try await shop.server.basket(basket.id) == both)

            let refused = try await shop.server.send("POST", "/v1/baskets/\(basket.id)/items/2001/increment")
            #expect(refused.status == 409 && refused.code == "several_lines")
            #expect(try refused.decoded(ProblemBody.self).lineIds == [1, 2])
            for change in ["DELETE /items/2001", "POST /items/2001/decrement"] {
                let (method, path) = (change.split(separator: " ")[0], change.split(separator: " ")[1])
                #expect(
                    try await shop.server.send(String(method), "/v1/baskets/\(basket.id)\(path)").code
                        == "several_lines")
            }

            #expect(try await storefront.incrementLine(2, in: basket.id).lines.map(\.quantity) == [1, 4])
            #expect(try await storefront.decrementLine(1, in: basket.id).lines.map(\.lineId) == [2])
            #expect(try await storefront.incrementItem(2001, in: basket.id).lines.map(\.quantity) == [5])
            #expect(try await storefront.removeLine(2, from: basket.id).lines.isEmpty)
            #expect(try await storefront.addItem(2001, to: basket.id).lines.map(\.lineId) == [3])
            for id in ["2", "0", "-1", "03", "x", "99999999999999999999"] {
                for (method, rest) in [("POST", "/increment"), ("POST", "/decrement"), ("DELETE", "")] {
                    let reply = try await shop.server.send(method, "/v1/baskets/\(basket.id)/lines/\(id)\(rest)")
                    #expect(reply.status == 404 && reply.code == "item_not_in_basket", "\(id) \(method)")
                }
            }
        }
    }

    @Test("A PATCH of a line changes the given members, null removes the note, and equal lines are merged")
    func patchesLines() async throws {
        try await TestShop.run { shop in
            let storefront = shop.server.storefront
            let basket = try await shop.server.startBasket(items: [(2001, 1), (4001, 2)])
            let noted = try await storefront.changeLine(1, note: "well done", in: basket.id)
            #expect(noted.lines.map(\.note) == ["well done", nil] && noted.lines.map(\.quantity) == [1, 2])
            let more = try await storefront.changeLine(1, quantity: 7, in: basket.id)
            #expect(more.lines.map(\.note) == ["well done", nil] && more.lines.map(\.quantity) == [7, 2])
            // Nothing changed, so the version stays.
            #expect(
                try await storefront.changeLine(1, quantity: 7, note: "well done", in: basket.id).version
                    == more.version)

            let third = try await storefront.addItem(2001, quantity: 90, to: basket.id)
            #expect(third.lines.map(\.lineId) == [1, 2, 3])
            let joined = try await storefront.changeLine(3, note: "well done", in: basket.id)
            #expect(joined.lines.map(\.lineId) == [1, 2] && joined.lines.map(\.quantity) == [97, 2])
            _ = try await storefront.addItem(2001, quantity: 3, to: basket.id)
            #expect(
                try await problemCode { try await storefront.changeLine(1, note: .some(nil), in: basket.id) }
                    == "quantity_out_of_range")
            #expect(
                try await storefront.changeLine(1, quantity: 96, note: .some(nil), in: basket.id).lines.map(\.quantity)
                    == [99, 2])
            #expect(try await shop.server.basket(basket.id).lines.map(\.note) == [nil, nil])

            let path = "/v1/baskets/\(basket.id)/lines/2"
            for (json, status, code) in [
                (#"{"quantity":0}"#, 422, "quantity_out_of_range"),
                (#"{"quantity":100}"#, 422, "quantity_out_of_range"),
                (#"{"menuItemId":4002}"#, 400, "malformed_body"), (#"{"note":1}"#, 400, "malformed_body"),
                ("[]", 400, "malformed_body"),
            ] {
                let reply = try await shop.server.send(
                    "PATCH", path, headers: [("Content-Type", "application/json")], body: Array(json.utf8))
                #expect(reply.status == status && reply.code == code, "\(json) \(reply.text)")
            }
            let unknown = try await problemCode { try await storefront.changeLine(9, quantity: 1, in: basket.id) }
            #expect(unknown == "item_not_in_basket")

            // A sold-out line can be reduced and its note changed, but not increased.
            try await shop.database.psql("update menu_items set is_available = false where id = 4001")
            try await eventually("the item is sold out") {
                try await !shop.server.basket(basket.id).lines[1].isAvailable
            }
            #expect(
                try await problemCode { try await storefront.changeLine(2, quantity: 3, in: basket.id) }
                    == "item_sold_out")
            #expect(
                try await storefront.changeLine(2, quantity: 1, note: "cold", in: basket.id).lines[1].note == "cold")
        }
    }

    @Test("Invalid notes and options are reported together at their fields, and change nothing")
    func refusals() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(items: [(4001, 1)])
            func add(_ rest: String) async throws -> TestServer.Reply {
                try await shop.server.post("/v1/baskets/\(basket.id)/items", json: #"{"menuItemId":4001,\#(rest)}"#)
            }
            let long = String(repeating: "ö", count: 141)
            for (rest, errors) in [
                (#""note":"\#(long)""#, ["note: too_long"]), (#""note":"a\u0007b""#, ["note: invalid_note"]),
                (#""options":[{"optionId":9101}]"#, ["options: option_unknown"]),
                (
                    #""options":[{"optionId":1,"quantity":-1,"options":[{"optionId":2}]}],"note":"\#(long)""#,
                    ["options: option_unknown", "note: too_long"]
                ),
            ] {
                let reply = try await add(rest)
                #expect(
                    reply.status == 422 && reply.code == "validation_failed" && reply.errors == errors,
                    "\(rest) \(reply.text)")
            }
            // Five nested lists.
            let deep = String(repeating: #"[{"options":"#, count: 5) + "[]" + String(repeating: "}]", count: 5)
            for options in [deep, "{}", "[", "[{}", "[1]", #"[{"title":"x"}]"#] {
                let reply = try await add(#""options":\#(options)"#)
                #expect(reply.status == 400 && reply.code == "malformed_body", "\(options)")
            }
            #expect(try await shop.server.basket(basket.id) == basket)
            for rest in [#""note":null"#, #""note":"  ""#, #""options":[]"#, #""options":null,"quantity":null"#] {
                #expect(try await add(rest).expecting(200).decoded(BasketBody.self).lines.count == 1, "\(rest)")
            }
            let full = String(repeating: "ö", count: 140)
            #expect(try await add(#""note":"\#(full)""#).expecting(200).decoded(BasketBody.self).lines[1].note == full)
        }
    }

    @Test("The units of a set have notes, equal units share a line, and a new selection keeps the set's price")
    func sets() async throws {
        try await TestShop.run { shop in
            let storefront = shop.server.storefront
            let basket = try await shop.server.startBasket()
            let items = [LineBody(menuItemId: 2002, note: "rare"), LineBody(menuItemId: 2002, note: "rare")]
            let added = try await storefront.addSet(200, items: items, to: basket.id)
            #expect(
                added.sales[0].items.map(\.note) == ["rare", nil] && added.sales[0].items.map(\.quantity) == [2, 1])
            #expect(added.total == 2697 && added.totalCount == 1)
            #expect(Set(added.sales[0].items.map(\.lineId)).count == 2)

            let changed = try await storefront.changeSet(
                200, items: [LineBody(menuItemId: 2002, note: "well done")], in: basket.id)
            #expect(
                changed.sales[0].items.map(\.note) == ["well done", nil]
                    && changed.sales[0].items.map(\.quantity) == [1, 2])
            #expect(changed.total == 2697)
            // The remaining line keeps its id, and the new line has an unused id.
            #expect(
                changed.sales[0].items[1].lineId == added.sales[0].items[1].lineId
                    && changed.sales[0].items[0].lineId > 2)

            for items in [[LineBody(menuItemId: 2001)], Array(repeating: LineBody(menuItemId: 2002), count: 4)] {
                let json = String(decoding: SetBody(items: items).json, as: UTF8.self)
                let reply = try await shop.server.send(
                    "PUT", "/v1/baskets/\(basket.id)/sales/200", headers: [("Content-Type", "application/json")],
                    body: Array(json.utf8))
                #expect(
                    reply.status == 422 && reply.errors.map { $0.split(separator: " ").last } == ["item_not_in_sale"],
                    "\(reply.text)")
            }
            let bad = [
                LineBody(menuItemId: 2002), LineBody(menuItemId: 2002, options: [SelectedOptionBody(1)], note: "\u{7}"),
            ]
            let empty = try await shop.server.startBasket()
            let reply = try await shop.server.post(
                "/v1/baskets/\(empty.id)/sales",
                json: String(decoding: SetBody(salesGroupId: 200, items: bad).json, as: UTF8.self))
            #expect(
                reply.errors == [
                    "sales/200/items/2002/2/options: option_unknown",
                    "sales/200/items/2002/2/options/11: option_group_minimum",
                    "sales/200/items/2002/2/note: invalid_note",
                ])
            let missing = try await problemCode { try await storefront.changeSet(400, items: [], in: basket.id) }
            #expect(missing == "sale_not_found")
            let twice = try await shop.server.post(
                "/v1/baskets/\(basket.id)/sales",
                json: #"{"salesGroupId":400,"items":[{"menuItemId":1002,"quantity":1}]}"#)
            #expect(twice.status == 400 && twice.code == "malformed_body")
            // A line of a set cannot be incremented.
            #expect(
                try await problemCode {
                    try await storefront.incrementLine(changed.sales[0].items[0].lineId, in: basket.id)
                }
                    == "item_not_in_basket")
        }
    }

    @Test("A note is visible to the guest in quote and order, to staff and in SQL, and to no other reader")
    func noteVisibility() async throws {
        try await StaffTests.run { shop in
            let storefront = shop.server.storefront
            var basket = try await shop.server.startBasket(items: [(4001, 1)])
            _ = try await storefront.addItem(2001, note: "no <b>onions</b>", to: basket.id)
            basket = try await storefront.addSet(200, items: [LineBody(menuItemId: 2002, note: "rare")], to: basket.id)
            let form = CheckoutBody.filled(for: basket)
            let quote = try await shop.server.validate(form).expecting(200).decoded(ValidationBody.self).quote
            #expect(quote?.lines.map(\.note) == [nil, "no <b>onions</b>"] && quote?.lines.map(\.lineId) == [1, 2])

            let order = try await shop.server.checkout(form, key: "k").expecting(201).decoded(OrderBody.self)
            #expect(order.lines.map(\.note) == [nil, "no <b>onions</b>"] && order.lines.map(\.lineId) == [1, 2])
            #expect(order.sales[0].items.map(\.note) == ["rare", nil])
            let withoutToken = try await shop.server.get("/v1/orders/\(order.id)").expecting(200)
            #expect(!withoutToken.text.contains("onions") && !withoutToken.text.contains("rare"))
            let guest = try await shop.server.get(
                "/v1/orders/\(order.id)", headers: [("Authorization", "Bearer \(order.accessToken ?? "")")])
            #expect(try guest.decoded(OrderBody.self).lines.map(\.note) == [nil, "no <b>onions</b>"])
            #expect(try await shop.server.checkout(form, key: "k").decoded(OrderBody.self) == order)
            let board = try await shop.server.get("/v1/staff/orders", headers: StaffTests.bearer).decoded(
                Page<OrderBody>.self)
            #expect(board.items.first?.lines == order.lines && board.items.first?.sales == order.sales)
            let stored = try await shop.database.psql(
                "select line_id, menu_item_id, note from order_lines where note is not null order by line_id")
            #expect(stored == "2|2001|no <b>onions</b>\n3|2002|rare")
        }
    }

    @Test("A sold-out line and a changed price are reported at the line's id if the item has several lines")
    func paths() async throws {
        try await TestShop.run { shop in
            var basket = try await shop.server.startBasket(items: [(4001, 1), (2001, 1)])
            basket = try await shop.server.storefront.addItem(2001, note: "rare", to: basket.id)
            try await shop.database.psql("update menu_items set price = 905 where id = 2001")
            let changed = try await shop.server.checkout(.filled(for: basket), key: "k").expecting(409).decoded(
                ProblemBody.self)
            #expect(changed.changes?.map(\.path) == ["lines/2", "lines/3"])
            try await shop.database.psql("update menu_items set is_available = false where id = 2001")
            #expect(
                try await shop.server.checkout(.filled(for: basket), key: "k").errors == [
                    "lines/2: item_sold_out", "lines/3: item_sold_out",
                ])
        }
    }
}
