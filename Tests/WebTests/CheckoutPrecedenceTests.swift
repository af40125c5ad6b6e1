// The precedence of a checkout's responses when several apply, and the response to a changed price.

import Support
import Testing
import Wire

@Suite("The precedence of checkout responses", .timeLimit(.minutes(10)))
struct CheckoutPrecedenceTests {
    @Test("Errors 413, 415 and 400 of the request precede every other check")
    func requestsFirst() async throws {
        try await TestShop.run { shop in
            let large = Array(#"{"name":""#.utf8) + [UInt8](repeating: 0x61, count: 64 * 1024) + Array(#""}"#.utf8)
            #expect(
                try await shop.server.send(
                    "POST", "/v1/checkout", headers: [("Content-Type", "application/json")], body: large
                ).status
                    == 413)
            #expect(try await shop.server.send("POST", "/v1/checkout", body: Array("{}".utf8)).status == 415)
            for body in [
                "", "{", "null", #"{"nickname":"Ann"}"#, #"{"name":1}"#, #"{"expectedTotal":"1"}"#,
                #"{"expectedTotal":1.5}"#,
                #"{"name":"a","name":"a"}"#,
            ] {
                let reply = try await shop.server.post("/v1/checkout", json: body, headers: [("Idempotency-Key", "k")])
                #expect(reply.status == 400)
                #expect(reply.code == "malformed_body")
            }
            let missing = try await shop.server.post("/v1/checkout", json: "{}")
            #expect(missing.status == 400)
            #expect(missing.code == "idempotency_key_missing")
            for key in ["", String(repeating: "k", count: 256), "k\u{e9}", "\u{674e}"] {
                let reply = try await shop.server.post("/v1/checkout", json: "{}", headers: [("Idempotency-Key", key)])
                #expect(reply.status == 400)
                #expect(reply.code == (key.isEmpty ? "idempotency_key_missing" : "idempotency_key_invalid"))
            }
            let twice = try await shop.server.post(
                "/v1/checkout", json: "{}", headers: [("Idempotency-Key", "a"), ("Idempotency-Key", "a")])
            #expect(twice.code == "idempotency_key_invalid")
            #expect(try await shop.server.get("/v1/checkout").status == 405)
        }
    }

    @Test("Checkout checks the basket's state first, then the basket's existence, the form and the price")
    func inOrder() async throws {
        try await TestShop.run { shop in
            let order = try await shop.server.order()
            // The basket is ordered already, and every other field is wrong.
            var form = CheckoutBody(basketId: order.id)
            form.name = "4"
            let taken = try await shop.server.checkout(form, key: "another key")
            #expect(taken.status == 409)
            #expect(taken.code == "basket_already_ordered")
            #expect(try taken.decoded(ProblemBody.self).orderId == order.id)
            let reused = try await shop.server.checkout(form, key: "key of \(order.id)")
            #expect(reused.status == 422)
            #expect(reused.code == "idempotency_key_reused")
            #expect(try reused.decoded(ProblemBody.self).orderId == order.id)

            for id in ["01890000-0000-7000-8000-000000000000", "x", ""] {
                form.basketId = id
                let unknown = try await shop.server.checkout(form, key: "k")
                #expect(unknown.status == 404)
                #expect(unknown.code == "basket_not_found")
            }

            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            var wrong = CheckoutBody.filled(for: basket, total: 1)
            wrong.phone = "1"
            #expect(try await shop.server.checkout(wrong, key: "k").code == "validation_failed")
            wrong.phone = "2125550100"
            #expect(try await shop.server.checkout(wrong, key: "k").code == "price_changed")
        }
    }

    @Test("A price change between quote and checkout returns 409 with both prices, and the fresh quote is accepted")
    func priceChanged() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 2), (2003, 1)], sales: [200])
            let quote = try await shop.server.validate(.filled(for: basket)).expecting(200).decoded(ValidationBody.self)
            #expect(quote.isReady)
            try await shop.database.psql(
                """
                update menu_items set price = 905 where id = 2001;
                update menu_items set sale_percent = 20 where id = 2002
                """)

            let form = CheckoutBody.filled(for: basket)
            let reply = try await shop.server.checkout(form, key: "k")
            #expect(reply.status == 409)
            #expect(reply.code == "price_changed")
            let problem = try reply.decoded(ProblemBody.self)
            #expect(
                problem.changes == [
                    PriceChangeBody(path: "lines/1", old: .integer(805), new: .integer(905), cause: "menu_price"),
                    PriceChangeBody(
                        path: "sales/200/items/2002", old: .integer(899), new: .integer(799), cause: "menu_price"),
                ])
            let fresh = try #require(problem.quote)
            #expect(fresh.total == 2 * 905 + 899 + 3 * 799)
            #expect(fresh.lines.map(\.unitPrice) == [905, 899])
            #expect(fresh.currency == "USD")

            // The same key is accepted, because a rejected attempt does not store its key.
            var accepted = form
            accepted.expectedTotal = fresh.total
            let order = try await shop.server.checkout(accepted, key: "k").expecting(201).decoded(OrderBody.self)
            #expect(order.total == fresh.total)
            #expect(order.lines.map(\.unitPrice) == [905, 899])
        }
    }

    @Test("A wrong expected total without a price change returns 409 with the sent and the correct total")
    func wrongTotal() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            for total in [0, 804, 806, 1_000_000_000_000_000] as [Int64] {
                let reply = try await shop.server.checkout(.filled(for: basket, total: total), key: "k")
                #expect(reply.status == 409)
                let problem = try reply.decoded(ProblemBody.self)
                #expect(
                    problem.changes == [
                        PriceChangeBody(path: "expectedTotal", old: .integer(total), new: .integer(805), cause: "total")
                    ])
                #expect(problem.quote?.total == 805)
            }
            // The quoted total includes the coupon's discount.
            let reply = try await shop.server.checkout(.filled(for: basket, coupon: "FRST"), key: "k")
            #expect(try reply.decoded(ProblemBody.self).quote?.total == 725)
            #expect(
                try await shop.server.checkout(.filled(for: basket, coupon: "FRST", total: 725), key: "k").status == 201
            )
        }
    }

    @Test("An order keeps its prices and titles when the menu changes")
    func orderKeepsPrices() async throws {
        try await TestShop.run { shop in
            let order = try await shop.server.order([(2001, 2)])
            try await shop.database.psql(
                """
                update menu_items set price = 9999, title = 'The Small Bland', is_retired = true where id = 2001
                """)
            let now = try await shop.server.get("/v1/orders/\(order.id)").expecting(200).decoded(OrderBody.self)
            #expect(now.lines == order.lines)
            #expect(now.total == 1610)
        }
    }
}
