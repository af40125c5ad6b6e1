// The life of a basket over HTTP: create, fill, change and empty it.

import HTTPServing
import Support
import Testing
import Web
import Wire

@Suite("The basket", .timeLimit(.minutes(10)))
struct BasketTests {
    @Test("A new basket is empty, and its random id cannot be guessed")
    func starts() async throws {
        try await TestShop.run { shop in
            let reply = try await shop.server.send("POST", "/v1/baskets")
            #expect(reply.status == 201)
            let basket = try reply.decoded(BasketBody.self)
            #expect(reply.header("Location") == "/v1/baskets/\(basket.id)")
            #expect(
                reply.text == """
                    {"id":"\(basket.id)","state":"open","version":1,"lines":[],"sales":[],"totalCount":0,"total":0,\
                    "currency":"USD","orderId":null,"actions":["add_item","add_sale"],\
                    "currencyExponent":2,"minimumAge":null}
                    """)
            let another = try await shop.server.post("/v1/baskets", json: "{}").expecting(201).decoded(BasketBody.self)
            // Version 7 of RFC 9562: all but six bits after the time are random.
            let halves = [basket.id, another.id].map { $0.split(separator: "-") }
            #expect(halves.allSatisfy { $0[2].first == "7" })
            #expect(halves[0][3...] != halves[1][3...])
        }
    }

    @Test("A basket lists lines and sets separately, with correct totals and both prices of a discounted line")
    func listsLinesAndSets() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(
                items: [(2001, 2), (1003, 1), (2003, 1)], sales: [200, 400])
            #expect(basket.lines.map(\.menuItemId) == [2001, 1003, 2003])
            #expect(basket.lines.map(\.kind) == ["regular", "special", "discount"])
            #expect(basket.lines.map(\.unitPrice) == [805, 1679, 899])
            #expect(basket.lines.map(\.regularUnitPrice) == [805, 2099, 999])
            #expect(basket.lines.map(\.total) == [1610, 1679, 899])
            #expect(basket.lines.allSatisfy { $0.isAvailable && $0.previousUnitPrice == nil })
            #expect(basket.sales.map(\.title) == ["Happy Saturday", "Hot Chicken Days"])
            #expect(basket.sales.map(\.total) == [2697, 1799 + 1679])
            #expect(basket.sales.first?.items.map { "\($0.quantity) x \($0.title)" } == ["3 x BBQ Burger"])
            #expect(basket.totalCount == 4 + 2)
            #expect(basket.total == 1610 + 1679 + 899 + 2697 + 1799 + 1679)
            #expect(basket.version == 6)
            #expect(basket.actions.first == "checkout")
            #expect(try await shop.server.basket(basket.id) == basket)
        }
    }

    @Test("Increment and decrement change a line's quantity by one, and quantity zero removes the line")
    func countsUpAndDown() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 1), (4001, 1)])
            let storefront = shop.server.storefront
            #expect(try await storefront.incrementItem(2001, in: basket.id).lines[0].quantity == 2)
            #expect(try await storefront.decrementItem(2001, in: basket.id).lines[0].quantity == 1)
            #expect(try await storefront.decrementItem(2001, in: basket.id).lines.map(\.menuItemId) == [4001])
            #expect(
                try await problemCode { try await storefront.decrementItem(2001, in: basket.id) }
                    == "item_not_in_basket")
            // Adding an item of an existing line increases the quantity of that line.
            let added = try await storefront.addItem(4001, quantity: 3, to: basket.id)
            #expect(added.lines.map(\.quantity) == [4])
            #expect(added.totalCount == 4)
        }
    }

    @Test("A line and a set can be removed, and the basket can be emptied")
    func removesAndEmpties() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 2), (4001, 1)], sales: [200, 400])
            let storefront = shop.server.storefront
            let withoutLine = try await storefront.removeItem(2001, from: basket.id)
            #expect(withoutLine.lines.map(\.menuItemId) == [4001])
            let withoutSet = try await storefront.removeSet(200, from: basket.id)
            #expect(withoutSet.sales.map(\.salesGroupId) == [400])
            let empty = try await storefront.emptyBasket(basket.id)
            #expect(empty.lines.isEmpty && empty.sales.isEmpty && empty.total == 0 && empty.totalCount == 0)
            #expect(empty.state == "open")
            // Emptying an empty basket changes nothing.
            #expect(try await storefront.emptyBasket(basket.id) == empty)
        }
    }

    @Test("A set is added once, and can be added a second time only after it was removed")
    func addsSetsOnce() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(sales: [200])
            #expect(basket.totalCount == 1)
            #expect(basket.total == 2697)
            let second = try await shop.server.addSale(200, to: basket.id)
            #expect(second.status == 409)
            #expect(second.code == "sale_already_in_basket")
            _ = try await shop.server.send("DELETE", "/v1/baskets/\(basket.id)/sales/200").expecting(200)
            #expect(try await shop.server.addSale(200, to: basket.id).status == 200)
        }
    }

    @Test("A basket shows sold-out items at once, and a changed price beside the recorded price")
    func showsChanges() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 2), (4001, 1)])
            try await shop.database.psql(
                """
                update menu_items set price = 905 where id = 2001;
                update menu_items set is_available = false where id = 4001
                """)
            let changed = try await shop.server.basket(basket.id)
            #expect(changed.lines.map(\.unitPrice) == [905, 285])
            #expect(changed.lines.map(\.previousUnitPrice) == [805, nil])
            #expect(changed.lines.map(\.isAvailable) == [true, false])
            #expect(changed.total == 2 * 905 + 285)
            #expect(!changed.actions.contains("checkout"))
            // A change of the line records the current price.
            let taken = try await shop.server.send("POST", "/v1/baskets/\(basket.id)/items/2001/increment").expecting(
                200)
            #expect(try taken.decoded(BasketBody.self).lines[0].previousUnitPrice == nil)
            #expect(try await shop.server.send("POST", "/v1/baskets/\(basket.id)/items/4001/decrement").status == 200)
        }
    }

    @Test("A conditional GET of a basket returns 304 until the basket or a price changes")
    func conditionalGet() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            let address = "/v1/baskets/\(basket.id)"
            let reply = try await shop.server.get(address)
            let tag = try #require(reply.header("ETag"))
            // The tag's prefix is a digest of openapi.json, so servers with other response formats have other tags.
            let description = try await shop.server.get("/openapi.json").body
            #expect(tag.hasPrefix("\"\(EntityTag(hashing: description).opaque.prefix(8))-"))
            #expect(reply.header("Cache-Control") == "private, no-cache")
            for known in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
                let answer = try await shop.server.get(address, headers: [("If-None-Match", known)])
                #expect(answer.status == 304)
                #expect(answer.body.isEmpty)
                #expect(answer.header("ETag") == tag)
            }
            let head = try await shop.server.send("HEAD", address)
            #expect(head.status == 200)
            #expect(head.header("ETag") == tag)
            #expect(head.body.isEmpty)
            try await shop.database.psql("update menu_items set price = 806 where id = 2001")
            #expect(try await shop.server.get(address, headers: [("If-None-Match", tag)]).status == 200)
        }
    }

    @Test("After a sold-out item is removed from a set, the rest is ordered at the same prices")
    func removesFromSet() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(sales: [400])
            let address = "/v1/baskets/\(basket.id)/sales/400/items"
            let tag = try #require(try await shop.server.get("/v1/baskets/\(basket.id)").header("ETag"))
            try await shop.database.psql("update menu_items set is_available = false where id = 1002")
            try await eventually("checkout is unavailable") {
                try await !shop.server.basket(basket.id).actions.contains("checkout")
            }
            #expect(
                try await shop.server.checkout(.filled(for: basket), key: "k").errors == [
                    "sales/400/items/1002: item_sold_out"
                ])

            for (path, code) in [
                ("/v1/baskets/\(basket.id)/sales/200/items/2002", "sale_not_found"),
                ("\(address)/2002", "item_not_in_basket"),
                ("\(address)/x", "item_not_in_basket"), ("/v1/baskets/x/sales/400/items/1002", "basket_not_found"),
            ] {
                let refused = try await shop.server.send("DELETE", path)
                #expect(refused.status == 404 && refused.code == code, "\(path)")
            }
            // The item was sold out after the GET, so the tag has changed.
            #expect(try await shop.server.send("DELETE", "\(address)/1002", headers: [("If-Match", tag)]).status == 412)
            let rest = try await shop.server.send("DELETE", "\(address)/1002").expecting(200).decoded(BasketBody.self)
            #expect(rest.sales.map { $0.items.map(\.menuItemId) } == [[1003]] && rest.sales[0].isAvailable)
            #expect(rest.total == rest.sales[0].total && rest.total == 1679)
            #expect(rest.actions.contains("checkout") && rest.actions.contains("remove_sale_item"))
            #expect(try await shop.server.addSale(400, to: basket.id).code == "sale_already_in_basket")
            let order = try await shop.server.checkout(.filled(for: rest), key: "k").expecting(201).decoded(
                OrderBody.self)
            #expect(order.total == 1679 && order.sales.map { $0.items.map(\.menuItemId) } == [[1003]])

            let other = try await shop.server.startBasket(sales: [200])
            let empty = try await shop.server.send("DELETE", "/v1/baskets/\(other.id)/sales/200/items/2002").decoded(
                BasketBody.self)
            #expect(empty.sales.isEmpty && empty.total == 0)
        }
    }

    @Test("A change with the ETag of an older basket version returns 412")
    func conditionalChange() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            let address = "/v1/baskets/\(basket.id)"
            let tag = try #require(try await shop.server.get(address).header("ETag"))
            func increment(_ tag: String) async throws -> TestServer.Reply {
                try await shop.server.send("POST", "\(address)/items/2001/increment", headers: [("If-Match", tag)])
            }
            let first = try await increment(tag)
            #expect(first.status == 200)
            let second = try await increment(tag)
            #expect(second.status == 412)
            #expect(second.code == "precondition_failed")
            // The response to a change carries the new tag. If-Match rejects weak tags.
            let newer = try #require(first.header("ETag"))
            let weak = try await increment("W/\(newer)")
            #expect(weak.status == 412 && weak.code == "precondition_failed")
            let problem = try weak.decoded(ProblemBody.self)
            #expect(
                problem.hint?.contains("weak tag") == true && problem.hint?.contains("compares strongly") == true,
                "\(weak.text)")
            #expect(second.text.contains("weak") == false)
            #expect(try await increment("\"other\", W/\(newer)").text.contains("weak tag"))
            #expect(try await increment("\"other\", \(newer)").status == 200)
            #expect(try await increment("*").status == 200)
            #expect(try await shop.server.basket(basket.id).lines[0].quantity == 4)
        }
    }
}
