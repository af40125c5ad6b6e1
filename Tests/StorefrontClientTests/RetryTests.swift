// What is tried again and what is not, when, and for how long: on real sockets with a clock that is not waited for.
// Read next: Sources/StorefrontClient/Exchange/Exchange.swift.

import StorefrontClient
import Support
import Testing
import Wire

@Suite("StorefrontClient: attempts", .timeLimit(.minutes(5)))
struct RetryTests {
    @Test("A checkout whose answer was lost is sent again with the same key, and there is one order")
    func lostCheckout() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 2)])
            let attempt = CheckoutAttempt(.filled(for: basket))
            let order = try await FaultyWay.run(to: shop.server.port, [.losesAnswer, .losesAnswer]) { way in
                let order = try await StorefrontClient.with(way.address, configuration: .fast()) { try await $0.checkout(attempt) }
                #expect(way.connections == 3)
                return order
            }
            #expect(order.total == 1610)
            #expect(try await shop.database.psql("select count(*), min(idempotency_key) from orders") == "1|\(attempt.key.rawValue)")
            // A storefront that crashed goes on with what it had written down.
            let kept = try JSONCoding.copy(of: attempt)
            #expect(kept == attempt)
            #expect(try await StorefrontClient.with(shop.server.address) { try await $0.checkout(kept) } == order)
        }
    }

    @Test(
        "A change of a basket whose answer was lost is not sent again; the error says that it may have been done, and the basket shows it")
    func lostChange() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket().id
            try await FaultyWay.run(to: shop.server.port, [.losesAnswer]) { way in
                try await StorefrontClient.with(way.address, configuration: .fast()) { client in
                    let error = await failure { () async throws(StorefrontError) in _ = try await client.addItem(2001, to: basket) }
                    #expect(error?.mayHaveBeenDone == true && error?.isPassing == true)
                    #expect(way.connections == 1)
                    let held = try await client.basket(basket)
                    #expect(held.totalCount == 1)
                }
            }
        }
    }

    @Test("503 with Retry-After is waited for, with a pause of its own on top that grows")
    func retryAfter() async throws {
        try await TestShop.run { shop in
            let clock = InstantClock()
            let faults: [Fault] = [
                .refuses(503, "overloaded", retryAfter: 3), .refuses(503, "database_unavailable", retryAfter: 2),
                .refuses(500, "internal_error"),
                .answers(502, json: "<html>"),
            ]
            try await FaultyWay.run(to: shop.server.port, faults) { way in
                let errors = try await StorefrontClient.with(way.address, configuration: .fast(clock)) { try await $0.errors() }
                #expect(errors.condition == "healthy")
            }
            #expect(clock.waits == [.milliseconds(3200), .milliseconds(2400), .milliseconds(800), .milliseconds(1600)])
        }
    }

    @Test("A change is sent again where nothing was done, and only there")
    func changes() async throws {
        try await TestShop.run { shop in
            let clock = InstantClock()
            let faults: [Fault] = [.refuses(503, "overloaded", retryAfter: 1), .none, .refuses(503, "database_unavailable", retryAfter: 1)]
            try await FaultyWay.run(to: shop.server.port, faults) { way in
                let basket = try await StorefrontClient.with(way.address, configuration: .fast(clock)) { try await $0.createBasket().id }
                #expect(clock.waits.count == 1)
                try await StorefrontClient.with(way.address, configuration: .fast(clock)) { client in
                    let error = await failure { () async throws(StorefrontError) in _ = try await client.addItem(2001, to: basket) }
                    #expect(
                        error?.problem?.code == .databaseUnavailable && error?.retryAfter == .seconds(1) && error?.mayHaveBeenDone == true)
                    #expect(clock.waits.count == 1)
                    let held = try await client.basket(basket)
                    #expect(held.totalCount == 0)
                }
            }
            #expect(try await shop.database.psql("select count(*) from baskets") == "1")
        }
    }

    @Test("A line's edit whose answer was lost is made once; the basket tells that it was, or that somebody else has changed it")
    func lostEdit() async throws {
        try await TestShop.run { shop in
            let storefront = shop.server.storefront
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            _ = try await storefront.addItem(2001, quantity: 3, note: "rare", to: basket.id)
            try await Self.losing(shop) { client in
                let known = try await client.basket(basket.id)
                let error = await failure { () async throws(StorefrontError) in
                    _ = try await client.changeLine(1, quantity: 2, note: "rare", in: basket.id)
                }
                #expect(error?.mayHaveBeenDone == true)
                // It has joined the other line; who asks again for the basket as it was known is told so.
                let made = try await client.changeLine(1, quantity: 2, note: "rare", in: basket.id, ifStill: known)
                #expect(made.lines.map(\.quantity) == [5] && made.lines.map(\.lineId) == [1])
                #expect(try await shop.server.basket(basket.id) == made)
            }
            let edits: [(options: [ChosenOptionBody]?, note: String)] = [
                (nil, "well done"), ([ChosenOptionBody(1103, options: [])], "hot"), ([ChosenOptionBody(1102)], "hot"),
            ]
            for (options, note) in edits {
                try await Self.losing(shop) { client in
                    let known = try await client.basket(basket.id)
                    let made = try await client.changeLine(1, quantity: 7, options: options, note: note, in: basket.id, ifStill: known)
                    #expect(made.lines.map(\.quantity) == [7] && made.lines.map(\.note) == [note] && made.version == known.version + 1)
                }
            }
            try await StorefrontClient.with(shop.server.address) { client in
                let known = try await client.basket(basket.id)
                _ = try await storefront.addItem(4001, to: basket.id)
                let error = await failure { () async throws(StorefrontError) in
                    _ = try await client.changeLine(1, quantity: 8, in: basket.id, ifStill: known)
                }
                #expect(error?.problem?.code == .preconditionFailed)
                #expect(try await client.basket(basket.id).lines.map(\.quantity) == [7, 1])
            }
        }
    }

    /// With a client whose first edit loses its answer.
    private static func losing(_ shop: TestShop, _ body: @Sendable @escaping (StorefrontClient) async throws -> Void) async throws {
        try await FaultyWay.run(to: shop.server.port, [.losesAnswerTo("PATCH")]) { way in
            try await StorefrontClient.with(way.address, configuration: .fast()) { try await body($0) }
            #expect(way.connections > 1)
        }
    }

    @Test("A refusal for good is told at once, and the number of attempts and the whole time are limited")
    func limits() async throws {
        let clock = InstantClock()
        try await FaultyWay.run(to: 1, [.refuses(404, "order_not_found")]) { way in
            try await StorefrontClient.with(way.address, configuration: .fast(clock)) { client in
                let error = await failure { () async throws(StorefrontError) in _ = try await client.order("x") }
                #expect(error?.problem?.code == .orderNotFound && error?.isPassing == false && clock.waits == [])
            }
        }
        try await FaultyWay.run(to: 1, .init(repeating: .refuses(503, "overloaded"), count: 9)) { way in
            try await StorefrontClient.with(way.address, configuration: .fast(clock)) { client in
                let error = await failure { () async throws(StorefrontError) in _ = try await client.errors() }
                #expect(error?.problem?.code == .overloaded && error?.mayHaveBeenDone == false)
                #expect(way.connections == 5 && clock.waits.count == 4)
            }
        }
        // The server wants a longer pause than there is time: the caller learns it instead of waiting in vain.
        try await FaultyWay.run(to: 1, [.refuses(503, "overloaded", retryAfter: 60)]) { way in
            try await StorefrontClient.with(way.address, configuration: .fast(clock)) { client in
                let error = await failure { () async throws(StorefrontError) in _ = try await client.errors() }
                #expect(error?.retryAfter == .seconds(60) && clock.waits.count == 4)
            }
        }
    }

    @Test("Where nobody listens, it is certain that nothing was done; a server that says nothing is not waited for longer than allowed")
    func silence() async throws {
        let clock = InstantClock()
        // Port 1 of this machine is nobody's.
        try await StorefrontClient.with("http://127.0.0.1:1", configuration: .fast(clock)) { client in
            let error = await failure { () async throws(StorefrontError) in _ = try await client.createBasket() }
            #expect(error?.mayHaveBeenDone == false && error?.isPassing == true, "\(String(describing: error))")
            #expect(clock.waits.count == 4)
        }
        try await FaultyWay.run(to: 1, [.answers("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n{")]) { way in
            try await StorefrontClient.with(way.address, configuration: .fast()) { client in
                let error = await failure { () async throws(StorefrontError) in _ = try await client.addItem(1, to: "b") }
                #expect(error?.mayHaveBeenDone == true)
            }
        }
        for wrong in ["", "shop.example", "ftp://shop.example", "http://", "http://shop.example?a=1", "file:///etc"] {
            await #expect(throws: StorefrontError.invalidAddress(wrong)) { try await StorefrontClient(wrong) }
        }
    }

    @Test("An attempt that may have been done is not forgotten when a later one certainly was not")
    func doubt() async throws {
        let faults: [Fault] = [.answers("")] + .init(repeating: .refuses(503, "overloaded"), count: 4)
        try await FaultyWay.run(to: 1, faults) { way in
            try await StorefrontClient.with(way.address, configuration: .fast()) { client in
                let attempt = CheckoutAttempt(CheckoutBody(basketId: "b"))
                let error = await failure { () async throws(StorefrontError) in _ = try await client.checkout(attempt) }
                #expect(error?.mayHaveBeenDone == true && error?.isPassing == true && way.connections == 5)
            }
        }
    }

    @Test("A call whose task is cancelled ends at once")
    func cancelled() async throws {
        var configuration = ClientConfiguration()
        configuration.backoff = Backoff(base: .seconds(20)) { $0 }
        try await StorefrontClient.with("http://127.0.0.1:1", configuration: configuration) { client in
            let call = Task { try await client.errors() }
            call.cancel()
            let result = await call.result
            #expect(throws: StorefrontError.cancelled) { try result.get() }
        }
    }

    @Test("Pauses grow to the cap, by chance anywhere below, and overflow nothing")
    func pauses() {
        let backoff = Backoff(base: .milliseconds(100), cap: .seconds(2))
        var most = Duration.zero
        for _ in 0..<200 { most = max(most, backoff.jitter(.milliseconds(100))) }
        #expect(most <= .milliseconds(100) && most > .milliseconds(50))
        #expect(Backoff.random(.zero) == .zero && Backoff.random(.seconds(Int64.max)) == .zero)
    }
}
