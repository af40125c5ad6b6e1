// Idempotency: the same key returns the same order, however often and concurrently it is sent.

import Support
import Testing
import Wire

@Suite("Exactly-once checkout", .timeLimit(.minutes(10)))
struct ExactlyOnceTests {
    @Test("200 concurrent checkouts with one key place one order and return equal bodies")
    func oneKey() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 2)], sales: [400])
            let form = CheckoutBody.filled(for: basket, coupon: "FRST", total: basket.total - (basket.total + 5) / 10)
            let total = try await shop.server.validate(form).expecting(200).decoded(ValidationBody.self).quote?.total
            let right = CheckoutBody.filled(for: basket, coupon: "FRST", total: total)
            let replies = try await inParallel(200) { _ in try await shop.server.checkout(right, key: "one key") }
            #expect(replies.filter { $0.status != 201 }.map(\.text) == [])
            #expect(Set(replies.map(\.body)).count == 1)
            #expect(replies.filter { $0.header("Idempotency-Replayed") == nil }.count == 1)
            #expect(replies.allSatisfy { $0.header("Location") == "/v1/orders/\(basket.id)" })
            #expect(
                try await shop.database.psql(
                    """
                    select count(*), sum(redeemed) from orders, coupon_redemptions as counted
                    where counted.coupon_id = 1
                    """) == "1|1")
        }
    }

    @Test("100 concurrent checkouts of one basket with different keys place one order, and 99 return 409 with its id")
    func oneBasket() async throws {
        try await TestShop.run { shop in
            try await TestShop.run(on: shop.database) { other in
                let basket = try await shop.server.startBasket(items: [(2001, 1)])
                let replies = try await inParallel(100) { n in
                    try await (n.isMultiple(of: 2) ? shop : other).server.checkout(
                        .filled(for: basket, guest: n), key: "key \(n)")
                }
                #expect(replies.filter { $0.status == 201 }.count == 1)
                let losers = replies.filter { $0.status == 409 }
                #expect(losers.count == 99)
                #expect(
                    try losers.allSatisfy {
                        try $0.decoded(ProblemBody.self).orderId == basket.id && $0.code == "basket_already_ordered"
                    })
                #expect(try await shop.database.psql("select count(*) from orders") == "1")
            }
        }
    }

    @Test("A replay returns the same bytes after changes to the order and the menu, and from another server")
    func replay() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 2), (2003, 3)], sales: [200, 400])
            var filled = CheckoutBody.filled(for: basket)
            filled.comment = "Zoë, 李 \"quoted\" \\ and\nnew line"
            let form = filled
            let first = try await shop.server.checkout(form, key: "k").expecting(201)
            let order = try first.decoded(OrderBody.self)
            try await shop.database.psql(
                """
                select advance_order('\(order.number)', 'accepted'); update menu_items set price = price + 1;
                update shop set currency = 'EUR'
                """
            )
            try await TestShop.run(on: shop.database) { other in
                for server in [shop.server, other.server] {
                    let replay = try await server.checkout(form, key: "k")
                    #expect(replay.status == 201)
                    #expect(replay.body == first.body)
                    #expect(replay.header("Location") == first.header("Location"))
                    #expect(replay.header("Idempotency-Replayed") == "true")
                }
            }
            try await shop.database.psql("select advance_order('\(order.number)', 'rejected', 'out of buns')")
            #expect(try await shop.server.checkout(form, key: "k").body == first.body)
        }
    }

    @Test("Requests that differ in member order, white space or null for a missing member are the same request")
    func equalFields() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            let fields = [
                #""basketId":"\#(basket.id)""#, #""name":"Ann Lee""#, #""phone":"2125550100""#,
                #""email":"ann@example.com""#,
                #""address":"12 Elm Street""#, #""expectedTotal":805"#,
            ]
            func send(_ fields: [String]) async throws -> TestServer.Reply {
                try await shop.server.post(
                    "/v1/checkout", json: "{\(fields.joined(separator: ","))}", headers: [("Idempotency-Key", "k")])
            }
            let first = try await send(fields).expecting(201)
            #expect(try await send(fields.reversed()).body == first.body)
            #expect(
                try await send(
                    fields.map { " \n\($0) " } + [#""coupon":null"#, #""comment" : null"#, #""currency":null"#]
                ).body
                    == first.body)
            #expect(try await send([fields[0], #""name":"Ann\u0020Lee""#] + fields[2...]).body == first.body)
            // An empty string differs from a missing field, and fields are compared before normalisation.
            for other in [[#""comment":"""#], [#""coupon":"""#], [#""birthday":"01-01""#], [#""currency":"USD""#]] {
                let reply = try await send(fields + other)
                #expect(reply.status == 422)
                #expect(reply.code == "idempotency_key_reused")
            }
            #expect(try await send([fields[0], #""name":"ann lee""#] + fields[2...]).code == "idempotency_key_reused")
            #expect(
                try await send(Array(fields.dropLast()) + [#""expectedTotal":806"#]).code == "idempotency_key_reused")
            // The fingerprint separates fields: text moved from one field to the next is another request.
            #expect(
                try await send([fields[0], #""name":"Ann Lee2""#, #""phone":"125550100""#] + fields[3...]).code
                    == "idempotency_key_reused")
        }
    }

    @Test("The same key with another basket places another order")
    func keyOfAnotherBasket() async throws {
        try await TestShop.run { shop in
            let first = try await shop.server.startBasket(items: [(2001, 1)])
            let second = try await shop.server.startBasket(items: [(2001, 1)])
            let orders = [
                try await shop.server.checkout(.filled(for: first), key: "k").expecting(201).decoded(OrderBody.self),
                try await shop.server.checkout(.filled(for: second), key: "k").expecting(201).decoded(OrderBody.self),
            ]
            #expect(orders.map(\.id) == [first.id, second.id])
            #expect(orders[0].number != orders[1].number)
            #expect(orders[0].accessToken != orders[1].accessToken)
        }
    }

    @Test("A rejected attempt stores no key and leaves the basket open")
    func refusedAttempts() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            #expect(try await shop.server.checkout(.filled(for: basket, coupon: "NOSUCH"), key: "k").status == 422)
            #expect(try await shop.server.checkout(.filled(for: basket, total: 1), key: "k").status == 409)
            #expect(try await shop.server.basket(basket.id).state == "open")
            #expect(try await shop.server.checkout(.filled(for: basket), key: "k").status == 201)
        }
    }
}
