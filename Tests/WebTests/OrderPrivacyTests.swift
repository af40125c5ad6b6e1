// Without the order token, an order, its events and its basket have no note, no reason of staff and no action.
// Their ETags do not depend on these texts either.

import Support
import Testing
import Wire

@Suite("Order privacy", .timeLimit(.minutes(10)))
struct OrderPrivacyTests {
    private static func bearer(_ order: OrderBody) -> (String, String) {
        ("Authorization", "Bearer \(order.accessToken ?? "")")
    }

    /// Orders a line and a set, each with a note.
    private static func notedOrder(_ shop: TestShop) async throws -> OrderBody {
        let storefront = shop.server.storefront
        let id = try await shop.server.startBasket(items: [(4001, 1)]).id
        _ = try await storefront.addItem(2001, note: "no onions", to: id)
        let basket = try await storefront.addSet(200, items: [LineBody(menuItemId: 2002, note: "rare")], to: id)
        return try await shop.server.checkout(.filled(for: basket), key: "key").expecting(201).decoded()
    }

    private static func notes(_ basket: BasketBody) -> [String?] {
        (basket.lines + basket.sales.flatMap(\.items)).map(\.note)
    }

    @Test("An ordered basket shows its notes with the order's token only, and refuses another token")
    func basketNotes() async throws {
        try await TestShop.run { shop in
            let order = try await Self.notedOrder(shop)
            let other = try await shop.server.order(guest: 2)
            let path = "/v1/baskets/\(order.id)"
            let open = try await shop.server.get(path).expecting(200)
            #expect(!open.text.contains("onions") && !open.text.contains("rare"), "\(open.text)")
            let bare = try open.decoded(BasketBody.self)
            #expect(Self.notes(bare) == [nil, nil, nil, nil] && bare.state == "ordered" && bare.orderId == order.id)
            let shown = try await shop.server.storefront.order(order.id)
            #expect(Self.notes(bare) == (shown.lines + shown.sales.flatMap(\.items)).map(\.note))

            let own = try await shop.server.get(path, headers: [Self.bearer(order)]).expecting(200)
            #expect(Self.notes(try own.decoded()) == [nil, "no onions", "rare", nil])
            #expect(try await shop.server.storefront.basket(order.id, accessToken: order.accessToken) == own.decoded())
            for reply in [open, own] {
                #expect(reply.header("Vary")?.contains("Authorization") == true)
                #expect(reply.header("Cache-Control") == "private, no-cache")
            }
            for wrong in [Self.bearer(other), ("Authorization", "Bearer x"), ("Authorization", "Basic eA==")] {
                let reply = try await shop.server.get(path, headers: [wrong])
                #expect(reply.status == 401 && reply.code == "invalid_token" && !reply.text.contains("onions"))
            }
        }
    }

    @Test("An ordered basket has different tags with and without the token, and neither gives 304 for the other")
    func basketTags() async throws {
        try await TestShop.run { shop in
            let order = try await Self.notedOrder(shop)
            let path = "/v1/baskets/\(order.id)"
            let bare = try #require(try await shop.server.get(path).header("ETag"))
            let own = try #require(try await shop.server.get(path, headers: [Self.bearer(order)]).header("ETag"))
            #expect(bare != own)
            for method in ["GET", "HEAD"] {
                for hasToken in [false, true] {
                    for tag in [bare, own] {
                        let headers = (hasToken ? [Self.bearer(order)] : []) + [("If-None-Match", tag)]
                        let reply = try await shop.server.send(method, path, headers: headers)
                        let current = hasToken ? own : bare
                        #expect(reply.status == (tag == current ? 304 : 200), "\(method) \(tag) \(hasToken)")
                        #expect(reply.header("ETag") == current)
                    }
                }
            }
        }
    }

    @Test("An open basket shows its notes to every client with its id, and ignores a token")
    func openBasket() async throws {
        try await TestShop.run { shop in
            let id = try await shop.server.startBasket().id
            let basket = try await shop.server.storefront.addItem(2001, note: "no onions", to: id)
            #expect(try await shop.server.basket(id) == basket)
            let headers = [("Authorization", "Bearer x")]
            let reply = try await shop.server.get("/v1/baskets/\(id)", headers: headers).expecting(200)
            #expect(Self.notes(try reply.decoded()) == ["no onions"])
        }
    }

    @Test("Without its token an order offers no action and shows no reason of staff, whatever its state")
    func orderTexts() async throws {
        try await TestShop.run { shop in
            let order = try await shop.server.order()
            let path = "/v1/orders/\(order.id)"
            func read(_ headers: [(String, String)] = []) async throws -> OrderBody {
                try await shop.server.get(path, headers: headers).expecting(200).decoded()
            }
            #expect(try await read().actions == [])
            #expect(try await read([Self.bearer(order)]).actions == ["cancel"])

            try await shop.database.psql("select advance_order('\(order.number)', 'accepted')")
            try await shop.database.psql("select delay_order('\(order.number)', 20, 'oven burnt')")
            #expect(try await read().delayReason == nil)
            #expect(try await read([Self.bearer(order)]).delayReason == "oven burnt")
            #expect(try await read().readyAt == read([Self.bearer(order)]).readyAt)

            let before = try await shop.server.get(path).header("ETag")
            let own = try await shop.server.get(path, headers: [Self.bearer(order)]).header("ETag")
            // A change of the reason alone does not change the tag without the token.
            try await shop.database.psql("update orders set delay_reason = 'fryer burnt'")
            #expect(try await shop.server.get(path).header("ETag") == before)
            #expect(try await shop.server.get(path, headers: [Self.bearer(order)]).header("ETag") != own)

            try await shop.database.psql("select advance_order('\(order.number)', 'rejected', 'out of buns')")
            let bare = try await shop.server.get(path).expecting(200)
            #expect(!bare.text.contains("buns") && !bare.text.contains("burnt"), "\(bare.text)")
            #expect(try bare.decoded(OrderBody.self).state == "rejected")
            #expect(try await read([Self.bearer(order)]).rejectionReason == "out of buns")
        }
    }

    @Test("An order's events have the reasons of staff only with its token, and a wrong token returns 401")
    func eventTexts() async throws {
        try await TestShop.run { shop in
            let order = try await shop.server.order()
            let path = "/v1/orders/\(order.id)/events"
            func follow(_ headers: [(String, String)]) async throws -> [ReceivedEvent] {
                try await shop.server.withRawConnection { connection in
                    try await connection.openStream(path, headers: headers)
                    return try await connection.eventsToEnd()
                }
            }
            try await shop.database.psql("select advance_order('\(order.number)', 'accepted')")
            try await shop.database.psql("select delay_order('\(order.number)', 20, 'oven burnt')")
            try await shop.database.psql("select advance_order('\(order.number)', 'rejected', 'out of buns')")
            let (bare, own) = (try await follow([]), try await follow([Self.bearer(order)]))
            #expect(!bare.contains { $0.data.contains("burnt") || $0.data.contains("buns") }, "\(bare)")
            #expect(bare.map(\.id) == own.map(\.id) && bare.count == 4)
            let bodies = try own.map { try $0.decoded(OrderEventBody.self) }
            #expect(bodies.map(\.delayReason) == [nil, nil, "oven burnt", nil])
            #expect(bodies.map(\.rejectionReason) == [nil, nil, nil, "out of buns"])
            #expect(try bare.map { try $0.decoded(OrderEventBody.self).readyAt } == bodies.map(\.readyAt))

            var reasons: [String?] = []
            for try await event in shop.server.storefront.orderEvents(order.id, accessToken: order.accessToken) {
                reasons.append(event.rejectionReason)
            }
            #expect(reasons == [nil, nil, nil, "out of buns"])
            let reply = try await shop.server.get(path, headers: [("Authorization", "Bearer x")])
            #expect(reply.status == 401 && reply.code == "invalid_token")
        }
    }
}
