// Retention as guests see it: an expired basket is unknown, an order and its checkout's response stay unchanged. If the
// shop has switched it on, a finished order loses the details of its guest.
import Database
import Support
import Testing
import Wire

@Suite("Retention")
struct RetentionTests {
    @Test("After pruning, a replay and the order are unchanged, and an abandoned basket returns 404 basket_not_found")
    func replay() async throws {
        try await TestShop.run { shop in
            let (ordered, abandoned) = (try await old(shop, 1), try await old(shop, 2))
            let form = CheckoutBody.filled(for: ordered)
            let first = try await shop.server.checkout(form, key: "k").expecting(201)
            let order = try first.decoded(OrderBody.self)
            let token = [("Authorization", "Bearer \(order.accessToken ?? "")")]
            let read = try await shop.server.get("/v1/orders/\(ordered.id)", headers: token).expecting(200)
            try await shop.database.psql("update baskets set changed_at = now() - interval '31 days'")

            let pruning = Pruning(url: shop.database.serverURL, basketAge: .seconds(30 * 86_400), logger: .silent)
            let outcome = try await pruning.run()
            #expect(outcome == .init(deletedRows: [.baskets: 1], emptiedBaskets: 1))

            let replayed = try await shop.server.checkout(form, key: "k")
            #expect(
                replayed.status == 201 && replayed.body == first.body
                    && replayed.header("Idempotency-Replayed") == "true")
            let second = try await shop.server.get("/v1/orders/\(ordered.id)", headers: token)
            #expect(second.body == read.body && second.header("ETag") == read.header("ETag"))
            #expect(try await shop.server.checkout(form, key: "other").code == "basket_already_ordered")
            var changed = form
            changed.name = "Another"
            #expect(try await shop.server.checkout(changed, key: "k").code == "idempotency_key_reused")
            #expect(try await shop.server.add(2001, to: ordered.id).code == "basket_already_ordered")
            let basket = try await shop.server.basket(ordered.id)
            #expect(basket.state == "ordered" && basket.orderId == ordered.id && basket.lines.isEmpty)

            let expired = [
                try await shop.server.get("/v1/baskets/\(abandoned.id)"),
                try await shop.server.add(2001, to: abandoned.id),
                try await shop.server.checkout(.filled(for: abandoned), key: "k"),
            ]
            for reply in expired { #expect(reply.status == 404 && reply.code == "basket_not_found") }
        }
    }

    @Test("Without its personal data, an order, its replay, its receipt and the answers to staff have no customer")
    func personalData() async throws {
        try await TestShop.run(configuration: StaffTests.configuration()) { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 2)])
            var form = CheckoutBody.filled(for: basket)
            form.comment = "Ring twice"
            let first = try await shop.server.checkout(form, key: "k").expecting(201)
            let order = try first.decoded(OrderBody.self)
            #expect(order.customer?.comment == "Ring twice")
            try await shop.database.psql(
                """
                update shop set personal_data_days = 1;
                update orders set state = 'delivered', placed_at = placed_at - interval '2 days'
                """)
            let pruning = Pruning(url: shop.database.serverURL, basketAge: .seconds(30 * 86_400), logger: .silent)
            #expect(try await pruning.run() == .init(replacedOrders: 1))

            let replayed = try await shop.server.checkout(form, key: "k").expecting(201)
            #expect(replayed.header("Idempotency-Replayed") == "true")
            let replay = try replayed.decoded(OrderBody.self)
            #expect(replay.accessToken == order.accessToken && replay.total == order.total && replay.id == order.id)
            var changed = form
            changed.name = "Another"
            #expect(try await shop.server.checkout(changed, key: "k").code == "idempotency_key_reused")

            let token = [("Authorization", "Bearer \(order.accessToken ?? "")")]
            let path = "/v1/orders/\(order.id)"
            let staffPath = "/v1/staff/orders/\(order.number)"
            let replies = [
                replayed, try await shop.server.get(path, headers: token).expecting(200),
                try await shop.server.get("\(path)/receipt", headers: token).expecting(200),
                try await shop.server.get(staffPath, headers: StaffTests.bearer).expecting(200),
                try await shop.server.get("/v1/staff/orders", headers: StaffTests.bearer).expecting(200),
                try await shop.server.get("/v1/baskets/\(order.id)", headers: token).expecting(200),
            ]
            for reply in replies {
                for text in ["\"customer\"", "Ann Lee", "ann.lee", "Elm Street", "Ring twice", "hmac:"] {
                    #expect(!reply.text.contains(text), "\(text): \(reply.text)")
                }
            }
            let read = try replies[1].decoded(OrderBody.self)
            #expect(read.payment != nil && read.lines == order.lines && read.totals == order.totals)
            let found = try await shop.server.get("/v1/staff/orders?q=ann", headers: StaffTests.bearer).expecting(200)
            #expect(!found.text.contains(order.number))
        }
    }

    @Test("Staff still see the delivery area of an order without personal data, and no answer has its postcode")
    func area() async throws {
        try await TestShop.run(configuration: StaffTests.configuration()) { shop in
            try await shop.database.psql(
                "insert into delivery_areas (id, title, postcodes) values (1, 'Mitte', '{10117}')")
            var form = CheckoutBody.filled(for: try await shop.server.startBasket(items: [(2001, 2)]))
            form.postcode = "10117"
            let order = try await shop.server.checkout(form, key: "k").expecting(201).decoded(OrderBody.self)
            #expect(order.customer?.postcode == "10117")
            let staffPath = "/v1/staff/orders/\(order.number)"
            let mitte = DeliveryAreaBody(id: 1, title: "Mitte")
            try await eventually("the server has loaded the area") {
                try await shop.server.get(staffPath, headers: StaffTests.bearer).decoded(StaffOrderBody.self).area
                    == mitte
            }
            try await shop.database.psql(
                """
                update shop set personal_data_days = 1;
                update orders set state = 'delivered', placed_at = placed_at - interval '2 days'
                """)
            let pruning = Pruning(url: shop.database.serverURL, basketAge: .seconds(30 * 86_400), logger: .silent)
            #expect(try await pruning.run() == .init(replacedOrders: 1))

            let staffReply = try await shop.server.get(staffPath, headers: StaffTests.bearer).expecting(200)
            #expect(try staffReply.decoded(StaffOrderBody.self).area == mitte)
            let token = [("Authorization", "Bearer \(order.accessToken ?? "")")]
            let replies = [
                staffReply, try await shop.server.checkout(form, key: "k").expecting(201),
                try await shop.server.get("/v1/orders/\(order.id)", headers: token).expecting(200),
            ]
            for reply in replies {
                for member in ["\"customer\"", "\"postcode\""] {
                    #expect(!reply.text.contains(member), "\(member): \(reply.text)")
                }
            }
        }
    }

    /// A basket whose id contains a time years ago, by which pruning judges its age.
    private func old(_ shop: TestShop, _ number: Int) async throws -> BasketBody {
        let basket = try await shop.server.startBasket(items: [(2001, 2)], sales: [200])
        let id = "018bcfe5-6800-7000-8000-00000000000\(number)"
        try await shop.database.psql("update baskets set id = '\(id)' where id = '\(basket.id)'")
        return try await shop.server.basket(id)
    }
}
