// The requests that are retried, and their pauses and limits. Uses real sockets and a clock that does not really wait.

import StorefrontClient
import Support
import Testing
import Wire

@Suite("StorefrontClient: retries", .timeLimit(.minutes(5)))
struct RetryTests {
    @Test("A checkout without a response is retried with the same key and places one order")
    func lostCheckout() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 2)])
            let attempt = CheckoutAttempt(.filled(for: basket))
            let order = try await FaultyProxy.run(to: shop.server.port, [.dropsResponse, .dropsResponse]) { proxy in
                let order = try await StorefrontClient.with(proxy.address, configuration: .fast()) {
                    try await $0.checkout(attempt)
                }
                #expect(proxy.connections == 3)
                return order
            }
            #expect(order.total == 1610)
            #expect(
                try await shop.database.psql("select count(*), min(idempotency_key) from orders")
                    == "1|\(attempt.key.rawValue)")
            // After a crash, the storefront continues with the stored attempt.
            let stored = try JSONCoding.copy(of: attempt)
            #expect(stored == attempt)
            #expect(try await StorefrontClient.with(shop.server.address) { try await $0.checkout(stored) } == order)
        }
    }

    @Test("A basket change without a response is not retried; the error says that it may have taken effect")
    func lostChange() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket().id
            try await FaultyProxy.run(to: shop.server.port, [.dropsResponse]) { proxy in
                try await StorefrontClient.with(proxy.address, configuration: .fast()) { client in
                    let error = await failure { () async throws(StorefrontError) in
                        _ = try await client.addItem(2001, to: basket)
                    }
                    #expect(error?.mayHaveTakenEffect == true && error?.isTransient == true)
                    #expect(proxy.connections == 1)
                    let current = try await client.basket(basket)
                    #expect(current.totalCount == 1)
                }
            }
        }
    }

    @Test("The pause after a 503 is Retry-After plus a growing backoff")
    func retryAfter() async throws {
        try await TestShop.run { shop in
            let clock = InstantClock()
            let faults: [Fault] = [
                .rejects(503, "overloaded", retryAfter: 3), .rejects(503, "database_unavailable", retryAfter: 2),
                .rejects(500, "internal_error"),
                .responds(502, json: "<html>"),
            ]
            try await FaultyProxy.run(to: shop.server.port, faults) { proxy in
                let errors = try await StorefrontClient.with(proxy.address, configuration: .fast(clock)) {
                    try await $0.errors()
                }
                #expect(errors.condition == "healthy")
            }
            #expect(
                clock.sleeps == [.milliseconds(3200), .milliseconds(2400), .milliseconds(800), .milliseconds(1600)])
        }
    }

    @Test("A basket change is retried only if the server certainly did not process it")
    func retriedChanges() async throws {
        try await TestShop.run { shop in
            let clock = InstantClock()
            let faults: [Fault] = [
                .rejects(503, "overloaded", retryAfter: 1), .none, .rejects(503, "database_unavailable", retryAfter: 1),
            ]
            try await FaultyProxy.run(to: shop.server.port, faults) { proxy in
                let basket = try await StorefrontClient.with(proxy.address, configuration: .fast(clock)) {
                    try await $0.createBasket().id
                }
                #expect(clock.sleeps.count == 1)
                try await StorefrontClient.with(proxy.address, configuration: .fast(clock)) { client in
                    let error = await failure { () async throws(StorefrontError) in
                        _ = try await client.addItem(2001, to: basket)
                    }
                    #expect(
                        error?.problem?.code == .databaseUnavailable && error?.retryAfter == .seconds(1)
                            && error?.mayHaveTakenEffect == true)
                    #expect(clock.sleeps.count == 1)
                    let current = try await client.basket(basket)
                    #expect(current.totalCount == 0)
                }
            }
            #expect(try await shop.database.psql("select count(*) from baskets") == "1")
        }
    }

    @Test("A line edit whose response is lost is made once and returns its result; after another change it fails")
    func lostEdit() async throws {
        try await TestShop.run { shop in
            let storefront = shop.server.storefront
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            _ = try await storefront.addItem(2001, quantity: 3, note: "rare", to: basket.id)
            try await Self.withLostEdit(shop) { client in
                let known = try await client.basket(basket.id)
                let error = await failure { () async throws(StorefrontError) in
                    _ = try await client.changeLine(1, quantity: 2, note: "rare", in: basket.id)
                }
                #expect(error?.mayHaveTakenEffect == true)
                // The edited line was merged into another line. The retried call returns the merged line.
                let made = try await client.changeLine(1, quantity: 2, note: "rare", in: basket.id, ifUnchanged: known)
                #expect(made.lines.map(\.quantity) == [5] && made.lines.map(\.lineId) == [1])
                #expect(try await shop.server.basket(basket.id) == made)
            }
            let edits: [(options: [SelectedOptionBody]?, note: String)] = [
                (nil, "well done"), ([SelectedOptionBody(1103, options: [])], "hot"),
                ([SelectedOptionBody(1102)], "hot"),
            ]
            for (options, note) in edits {
                try await Self.withLostEdit(shop) { client in
                    let known = try await client.basket(basket.id)
                    let made = try await client.changeLine(
                        1, quantity: 7, options: options, note: note, in: basket.id, ifUnchanged: known)
                    #expect(
                        made.lines.map(\.quantity) == [7] && made.lines.map(\.note) == [note]
                            && made.version == known.version + 1)
                }
            }
            try await StorefrontClient.with(shop.server.address) { client in
                let known = try await client.basket(basket.id)
                _ = try await storefront.addItem(4001, to: basket.id)
                let error = await failure { () async throws(StorefrontError) in
                    _ = try await client.changeLine(1, quantity: 8, in: basket.id, ifUnchanged: known)
                }
                #expect(error?.problem?.code == .preconditionFailed)
                #expect(try await client.basket(basket.id).lines.map(\.quantity) == [7, 1])
            }
        }
    }

    /// Runs the closure with a client whose first edit gets no response.
    private static func withLostEdit(
        _ shop: TestShop, _ body: @Sendable @escaping (StorefrontClient) async throws -> Void
    ) async throws {
        try await FaultyProxy.run(to: shop.server.port, [.dropsResponseTo("PATCH")]) { proxy in
            try await StorefrontClient.with(proxy.address, configuration: .fast()) { try await body($0) }
            #expect(proxy.connections > 1)
        }
    }

    @Test("A permanent error is thrown at once, and the attempts and the total time are limited")
    func limits() async throws {
        let clock = InstantClock()
        try await FaultyProxy.run(to: 1, [.rejects(404, "order_not_found")]) { proxy in
            try await StorefrontClient.with(proxy.address, configuration: .fast(clock)) { client in
                let error = await failure { () async throws(StorefrontError) in _ = try await client.order("x") }
                #expect(error?.problem?.code == .orderNotFound && error?.isTransient == false && clock.sleeps == [])
            }
        }
        try await FaultyProxy.run(to: 1, .init(repeating: .rejects(503, "overloaded"), count: 9)) { proxy in
            try await StorefrontClient.with(proxy.address, configuration: .fast(clock)) { client in
                let error = await failure { () async throws(StorefrontError) in _ = try await client.errors() }
                #expect(error?.problem?.code == .overloaded && error?.mayHaveTakenEffect == false)
                #expect(proxy.connections == 5 && clock.sleeps.count == 4)
            }
        }
        // The requested pause is longer than the call's timeout: the call fails at once instead of waiting.
        try await FaultyProxy.run(to: 1, [.rejects(503, "overloaded", retryAfter: 60)]) { proxy in
            try await StorefrontClient.with(proxy.address, configuration: .fast(clock)) { client in
                let error = await failure { () async throws(StorefrontError) in _ = try await client.errors() }
                #expect(error?.retryAfter == .seconds(60) && clock.sleeps.count == 4)
            }
        }
    }

    @Test("A refused connection certainly has no effect, an incomplete response may have one, and URLs are validated")
    func unreachableServers() async throws {
        let clock = InstantClock()
        // No process listens on port 1 of this machine.
        try await StorefrontClient.with("http://127.0.0.1:1", configuration: .fast(clock)) { client in
            let error = await failure { () async throws(StorefrontError) in _ = try await client.createBasket() }
            #expect(error?.mayHaveTakenEffect == false && error?.isTransient == true, "\(String(describing: error))")
            #expect(clock.sleeps.count == 4)
        }
        try await FaultyProxy.run(to: 1, [.responds("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n{")]) { proxy in
            try await StorefrontClient.with(proxy.address, configuration: .fast()) { client in
                let error = await failure { () async throws(StorefrontError) in _ = try await client.addItem(1, to: "b")
                }
                #expect(error?.mayHaveTakenEffect == true)
            }
        }
        for invalid in ["", "shop.example", "ftp://shop.example", "http://", "http://shop.example?a=1", "file:///etc"] {
            await #expect(throws: StorefrontError.invalidAddress(invalid)) { try await StorefrontClient(invalid) }
        }
    }

    @Test("The error reports a possible effect of an earlier attempt, even if later attempts certainly had none")
    func ambiguousOutcome() async throws {
        let faults: [Fault] = [.responds("")] + .init(repeating: .rejects(503, "overloaded"), count: 4)
        try await FaultyProxy.run(to: 1, faults) { proxy in
            try await StorefrontClient.with(proxy.address, configuration: .fast()) { client in
                let attempt = CheckoutAttempt(CheckoutBody(basketId: "b"))
                let error = await failure { () async throws(StorefrontError) in _ = try await client.checkout(attempt) }
                #expect(error?.mayHaveTakenEffect == true && error?.isTransient == true && proxy.connections == 5)
            }
        }
    }

    @Test("A call whose task is cancelled ends at once")
    func cancelled() async throws {
        var configuration = ClientConfiguration()
        configuration.backoff = RetryBackoff(base: .seconds(20)) { $0 }
        try await StorefrontClient.with("http://127.0.0.1:1", configuration: configuration) { client in
            let call = Task { try await client.errors() }
            call.cancel()
            let result = await call.result
            #expect(throws: StorefrontError.cancelled) { try result.get() }
        }
    }

    @Test("The jitter is between zero and the limit, and does not overflow")
    func pauses() {
        let backoff = RetryBackoff(base: .milliseconds(100), cap: .seconds(2))
        var maximum = Duration.zero
        for _ in 0..<200 { maximum = max(maximum, backoff.jitter(.milliseconds(100))) }
        #expect(maximum <= .milliseconds(100) && maximum > .milliseconds(50))
        #expect(RetryBackoff.fullJitter(.zero) == .zero && RetryBackoff.fullJitter(.seconds(Int64.max)) == .zero)
    }
}
