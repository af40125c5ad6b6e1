// Every rejection of the basket routes, with its status and its code.

import Support
import Testing
import Wire

@Suite("Rejections of the basket routes", .timeLimit(.minutes(10)))
struct BasketRejectionTests {
    static let unknown = "01890000-0000-7000-8000-000000000000"

    @Test("An unknown basket and a malformed basket id both return 404")
    func unknownBaskets() async throws {
        try await TestShop.run { shop in
            let item = #"{"menuItemId":2001}"#
            for id in [Self.unknown, Self.unknown.uppercased(), "1", "%00", String(repeating: "a", count: 2000)] {
                let address = "/v1/baskets/\(id)"
                let replies = [
                    try await shop.server.get(address),
                    try await shop.server.post("\(address)/items", json: item),
                    try await shop.server.send("POST", "\(address)/items/2001/increment"),
                    try await shop.server.send("DELETE", "\(address)/items/2001"),
                    try await shop.server.send("DELETE", "\(address)/items"),
                    try await shop.server.post("\(address)/sales", json: #"{"salesGroupId":200}"#),
                    try await shop.server.send("DELETE", "\(address)/sales/200"),
                ]
                for reply in replies {
                    #expect(reply.status == 404)
                    #expect(reply.code == "basket_not_found")
                }
            }
        }
    }

    @Test("A missing menu item, line or set returns 404 with the code of the missing thing")
    func missingThings() async throws {
        try await TestShop.run { shop in
            try await shop.database.psql("update menu_items set is_retired = true where id = 3001")
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            for item in [9999, 0, -1, Int64.max, 3001] {
                let reply = try await shop.server.add(item, to: basket.id)
                #expect(reply.status == 404)
                #expect(reply.code == "menu_item_not_found")
            }
            for item in ["4001", "9999", "x", "02001", "-2001", "99999999999999999999"] {
                for reply in [
                    try await shop.server.send("POST", "/v1/baskets/\(basket.id)/items/\(item)/increment"),
                    try await shop.server.send("POST", "/v1/baskets/\(basket.id)/items/\(item)/decrement"),
                    try await shop.server.send("DELETE", "/v1/baskets/\(basket.id)/items/\(item)"),
                ] {
                    #expect(reply.status == 404)
                    #expect(reply.code == "item_not_in_basket")
                }
            }
            #expect(try await shop.server.addSale(999, to: basket.id).code == "sale_not_found")
            for sale in ["200", "999", "x"] {
                let reply = try await shop.server.send("DELETE", "/v1/baskets/\(basket.id)/sales/\(sale)")
                #expect(reply.status == 404)
                #expect(reply.code == "sale_not_found")
            }
        }
    }

    @Test("A sold-out item returns 409, alone or in a set, and a sales group without items returns 422")
    func soldOut() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(items: [(4001, 1)])
            try await shop.database.psql("update menu_items set is_available = false where id in (2002, 4001)")
            for reply in [
                try await shop.server.add(2002, to: basket.id),
                try await shop.server.addSale(200, to: basket.id),
                try await shop.server.send("POST", "/v1/baskets/\(basket.id)/items/4001/increment"),
            ] {
                #expect(reply.status == 409)
                #expect(reply.code == "item_sold_out")
            }
            let information = try await shop.server.addSale(100, to: basket.id)
            #expect(information.status == 422)
            #expect(information.code == "sale_has_no_items")
        }
    }

    @Test("A line quantity outside 1…99 and a basket of more than 50 lines and sets return 422")
    func limits() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 98)])
            for quantity in [0, -1, 2, 100, Int64.min, Int64.max] {
                let reply = try await shop.server.add(2001, quantity, to: basket.id)
                #expect(reply.status == 422)
                #expect(reply.code == "quantity_out_of_range")
                #expect(try reply.decoded(ProblemBody.self).errors?.first?.params == ["limit": .integer(99)])
            }
            #expect(try await shop.server.add(2001, 1, to: basket.id).status == 200)
            #expect(
                try await shop.server.send("POST", "/v1/baskets/\(basket.id)/items/2001/increment").code
                    == "quantity_out_of_range")

            try await shop.database.psql(
                """
                insert into menu_items (id, category_id, kind, title, description, price)
                select 200100 + n, 200, 'regular', 'Burger ' || n, 'One of many.', 500 from generate_series(1, 50) n
                """)
            let full = try await shop.server.startBasket(items: (1...49).map { (200_100 + $0, 1) }, sales: [200])
            for reply in [
                try await shop.server.add(200_150, to: full.id), try await shop.server.addSale(400, to: full.id),
            ] {
                #expect(reply.status == 422)
                #expect(reply.code == "basket_full")
                #expect(try reply.decoded(ProblemBody.self).errors?.first?.params == ["limit": .integer(50)])
            }
            #expect(try await shop.server.add(200_101, to: full.id).status == 200)
        }
    }

    @Test("Every change of an ordered basket returns 409 with the order's id")
    func ordered() async throws {
        try await TestShop.run { shop in
            let order = try await shop.server.order([(2001, 1)])
            let address = "/v1/baskets/\(order.id)"
            for reply in [
                try await shop.server.add(2001, to: order.id),
                try await shop.server.send("POST", "\(address)/items/2001/increment"),
                try await shop.server.send("POST", "\(address)/items/2001/decrement"),
                try await shop.server.send("DELETE", "\(address)/items/2001"),
                try await shop.server.addSale(200, to: order.id),
                try await shop.server.send("DELETE", "\(address)/sales/200"),
                try await shop.server.send("DELETE", "\(address)/items"),
            ] {
                #expect(reply.status == 409)
                #expect(reply.code == "basket_already_ordered")
                #expect(try reply.decoded(ProblemBody.self).orderId == order.id)
            }
            let basket = try await shop.server.basket(order.id)
            #expect(basket.state == "ordered")
            #expect(basket.orderId == order.id)
            #expect(basket.actions == ["view_order"])
        }
    }

    @Test("A missing member returns 422, an invalid one 400, another media type 415 and a large body 413")
    func bodies() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket()
            let items = "/v1/baskets/\(basket.id)/items"
            for body in ["{}", #"{"quantity":2}"#, #"{"menuItemId":null}"#] {
                let reply = try await shop.server.post(items, json: body)
                #expect(reply.status == 422)
                #expect(reply.code == "validation_failed")
                #expect(reply.errors == ["menuItemId: required"])
            }
            #expect(
                try await shop.server.post("/v1/baskets/\(basket.id)/sales", json: "{}").errors == [
                    "salesGroupId: required"
                ])
            for body in [
                "", "{", "[]", #"{"menuItemId":"2001"}"#, #"{"menuItemId":2001.0}"#, #"{"menuItemId":2001,"price":1}"#,
                #"{"menuItemId":2001,"menuItemId":2002}"#, #"{"menuItemId":2001}x"#,
            ] {
                let reply = try await shop.server.post(items, json: body)
                #expect(reply.status == 400)
                #expect(reply.code == "malformed_body")
            }
            #expect(try await shop.server.post("/v1/baskets", json: #"{"id":"mine"}"#).code == "malformed_body")
            #expect(try await shop.server.send("POST", items, body: Array("{}".utf8)).status == 415)
            #expect(try await shop.server.post(items, json: String(repeating: " ", count: 64 * 1024 + 1)).status == 413)
            // The default quantity is one.
            let one = try await shop.server.post(items, json: #"{"menuItemId":2001}"#).expecting(200).decoded(
                BasketBody.self)
            #expect(one.lines.map(\.quantity) == [1])
        }
    }
}
