// Orders after checkout: reading with and without the order token, and cancelling.

import Support
import Testing
import Wire

@Suite("Orders", .timeLimit(.minutes(10)))
struct OrderTests {
    @Test("An order is readable by its id, the guest's data only with its token, and another token returns 401")
    func details() async throws {
        try await TestShop.run { shop in
            let order = try await shop.server.order(guest: 1)
            let other = try await shop.server.order(guest: 2)
            let address = "/v1/orders/\(order.id)"
            let token = try #require(order.accessToken)

            let open = try await shop.server.get(address)
            #expect(open.status == 200)
            for secret in ["customer", "accessToken", token, "Ann", "+1212", "example.com", "Elm"] {
                #expect(!open.text.contains(secret))
            }
            let own = try await shop.server.get(address, headers: [("Authorization", "Bearer \(token)")])
            #expect(own.status == 200)
            #expect(try own.decoded(OrderBody.self).customer == order.customer)
            #expect(!own.text.contains("accessToken"))
            #expect(own.header("Cache-Control") == "private, no-cache")
            #expect(own.header("Vary") == "Authorization")
            #expect(
                try await shop.server.get(address, headers: [("Authorization", "bearer  \(token)")]).body == own.body)

            for wrong in [
                "Bearer \(other.accessToken ?? "")", "Bearer", "Bearer ", "Bearer \(token)x", "Bearer \(token) x",
                "Basic \(token)", token,
                "é",
            ] {
                let reply = try await shop.server.get(address, headers: [("Authorization", wrong)])
                #expect(reply.status == 401)
                #expect(reply.code == "invalid_token")
                #expect(reply.header("WWW-Authenticate") == #"Bearer error="invalid_token""#)
            }
        }
    }

    @Test("The coupon of an order is visible to its guest and to staff only")
    func coupon() async throws {
        try await TestShop.run(configuration: StaffTests.configuration()) { shop in
            let order = try await shop.server.order(coupon: "FRST", total: 725)
            #expect(order.coupon == "FRST" && order.discount == 80)
            let address = "/v1/orders/\(order.id)"
            let open = try await shop.server.get(address)
            #expect(open.status == 200 && !open.text.contains("FRST") && !open.text.contains("coupon"), "\(open.text)")
            #expect(try open.decoded(OrderBody.self).discount == 80)
            let own = [("Authorization", "Bearer \(order.accessToken ?? "")")]
            #expect(try await shop.server.get(address, headers: own).decoded(OrderBody.self).coupon == "FRST")
            let staff = try await shop.server.get("/v1/staff/orders/\(order.number)", headers: StaffTests.bearer)
            #expect(try staff.decoded(OrderBody.self).coupon == "FRST")
            for path in ["\(address)/cancel", "/v1/baskets/\(order.id)", "/v1/baskets/\(order.id)/items/2001"] {
                let reply = try await shop.server.send(
                    path.hasSuffix("cancel") ? "POST" : path.hasSuffix("2001") ? "DELETE" : "GET", path)
                #expect(!reply.text.contains("FRST"), "\(path)")
            }
            let live = try await shop.server.validate(CheckoutBody(basketId: order.id))
            let second = try await shop.server.checkout(
                .filled(for: shop.server.basket(order.id), guest: 9), key: "another")
            #expect(second.status == 409 && !live.text.contains("FRST") && !second.text.contains("FRST"))
            let cancelled = try await shop.server.cancel(order).expecting(200).decoded(OrderBody.self)
            #expect(cancelled.coupon == "FRST")
            try await shop.server.withRawConnection { connection in
                try await connection.openStream("\(address)/events")
                #expect(try await !connection.eventsToEnd().contains { "\($0)".contains("FRST") })
            }
        }
    }

    @Test("A conditional GET of an order returns 304 until its state changes")
    func conditional() async throws {
        try await TestShop.run { shop in
            let order = try await shop.server.order()
            let address = "/v1/orders/\(order.id)"
            let tag = try #require(try await shop.server.get(address).header("ETag"))
            #expect(try await shop.server.get(address, headers: [("If-None-Match", tag)]).status == 304)
            // The response with the token has a tag of its own.
            let own = [("Authorization", "Bearer \(order.accessToken ?? "")"), ("If-None-Match", tag)]
            #expect(try await shop.server.get(address, headers: own).status == 200)
            let head = try await shop.server.send("HEAD", address)
            #expect(head.status == 200 && head.body.isEmpty && head.header("ETag") == tag)
            try await shop.database.psql("select advance_order('\(order.number)', 'accepted')")
            let moved = try await shop.server.get(address, headers: [("If-None-Match", tag)]).expecting(200).decoded(
                OrderBody.self)
            #expect(moved.state == "accepted")
            #expect(moved.actions == [])
        }
    }

    @Test("A guest cancels a placed order with the token, repeating it changes nothing, and the basket stays ordered")
    func cancel() async throws {
        try await TestShop.run { shop in
            let order = try await shop.server.order()
            let withoutToken = try await shop.server.send("POST", "/v1/orders/\(order.id)/cancel")
            #expect(withoutToken.status == 401)
            #expect(withoutToken.code == "token_required")
            #expect(withoutToken.header("WWW-Authenticate") == "Bearer")
            let wrong = try await shop.server.send(
                "POST", "/v1/orders/\(order.id)/cancel", headers: [("Authorization", "Bearer x")])
            #expect(wrong.status == 401)
            #expect(wrong.code == "invalid_token")
            #expect(try await shop.server.get("/v1/orders/\(order.id)").decoded(OrderBody.self).state == "placed")

            let first = try await shop.server.cancel(order)
            #expect(first.status == 200)
            let cancelled = try first.decoded(OrderBody.self)
            #expect(cancelled.state == "cancelled")
            #expect(cancelled.actions == [])
            #expect(cancelled.customer == order.customer)
            let second = try await shop.server.cancel(order)
            #expect(second.status == 200)
            #expect(second.body == first.body)
            let read = try await shop.server.get(
                "/v1/orders/\(order.id)", headers: [("Authorization", "Bearer \(order.accessToken ?? "")")])
            #expect(read.body == first.body)
            #expect(try await shop.server.basket(order.id).state == "ordered")
        }
    }

    @Test(
        "An accepted or rejected order cannot be cancelled, and a rejected one has its reason",
        arguments: ["accepted", "rejected"])
    func notCancellable(state: String) async throws {
        try await TestShop.run { shop in
            let order = try await shop.server.order()
            try await shop.database.psql("select advance_order('\(order.number)', '\(state)', 'out of buns')")
            let storefront = shop.server.storefront
            let code = try await problemCode {
                try await storefront.cancelOrder(order.id, accessToken: order.accessToken ?? "")
            }
            #expect(code == "order_not_cancellable")
            let now = try await storefront.order(order.id, accessToken: order.accessToken)
            #expect(now.state == state)
            #expect(now.rejectionReason == (state == "rejected" ? "out of buns" : nil))
        }
    }

    @Test("An unknown order, a malformed id and a basket without an order return 404 order_not_found")
    func unknown() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket()
            for id in [basket.id, "01890000-0000-7000-8000-000000000000", "04219377", "x"] {
                for reply in [
                    try await shop.server.get("/v1/orders/\(id)"),
                    try await shop.server.send(
                        "POST", "/v1/orders/\(id)/cancel", headers: [("Authorization", "Bearer x")]),
                ] {
                    #expect(reply.status == 404)
                    #expect(reply.code == "order_not_found")
                }
            }
        }
    }
}
