// Tests the rate limits for each client over a real socket.
import Ordering
import Shop
import Support
import Testing
import Wire

@testable import HTTPServing
@testable import Web

@Suite("Rate limits")
struct RateLimitTests {
    private func configuration(
        baskets: Int? = nil, checkouts: Int? = nil, coupons: Int? = nil, proxies: String? = nil
    ) -> WebConfiguration {
        var web = WebConfiguration(port: 0)
        web.rateLimits.baskets = baskets.flatMap(RateLimit.init(perMinute:))
        web.rateLimits.checkouts = checkouts.flatMap(RateLimit.init(perMinute:))
        if let coupons { web.rateLimits.coupons = RateLimit(perMinute: coupons) }
        if let proxies = proxies.flatMap(TrustedProxies.init) { web.server.trustedProxies = proxies }
        return web
    }

    @Test("A client that starts too many baskets gets 429 with Retry-After, and reading is not limited")
    func baskets() async throws {
        try await TestShop.run(configuration: configuration(baskets: 3)) { shop in
            for left in [2, 1, 0] {
                let created = try await shop.server.send(
                    "POST", "/v1/baskets", headers: [("X-Forwarded-For", "192.0.2.\(left)")])
                #expect(created.status == 201)
                #expect(created.header("RateLimit-Policy") == "\"baskets\";q=3;w=60")
                #expect(
                    created.header("RateLimit")?.hasPrefix("\"baskets\";r=\(left);t=") == true,
                    "\(created.header("RateLimit") ?? "")")
            }
            let refused = try await shop.server.send("POST", "/v1/baskets", headers: [("X-Forwarded-For", "192.0.2.9")])
            #expect(refused.status == 429 && refused.code == "rate_limited")
            let seconds = try #require(refused.header("Retry-After").flatMap { Int($0) })
            #expect((1...20).contains(seconds))
            #expect(refused.header("RateLimit") == "\"baskets\";r=0;t=\(seconds)")
            #expect(refused.header("RateLimit-Policy") == "\"baskets\";q=3;w=60")
            let document = try JSON(OpenAPIDocument.read())
            let described = try #require(
                document["paths"]?["/v1/baskets"]?["post"]?["responses"]?["429"]?["$ref"]?.text.flatMap(
                    document.resolved))
            let schema = try #require(described["content"]?["application/problem+json"]?["schema"])
            #expect(JSONSchema(document: document).violations(of: try JSON(refused.body), against: schema) == [])
            let count = try await shop.database.psql("select count(*) from baskets")
            #expect(count == "3", "the rejected request created no basket")
            for path in ["/v1/menu", "/v1/home"] {
                let reply = try await shop.server.get(path)
                #expect(reply.status == 200 && reply.header("RateLimit") == nil)
            }
        }
    }

    @Test("Checkouts have a limit of their own: a rejected checkout counts, validation does not")
    func checkouts() async throws {
        try await TestShop.run(configuration: configuration(checkouts: 2)) { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            let placed = try await shop.server.checkout(.filled(for: basket), key: "k")
            #expect(placed.status == 201 && placed.header("RateLimit-Policy") == "\"checkouts\";q=2;w=60")
            for _ in 0..<3 { #expect(try await shop.server.validate(.filled(for: basket)).status == 200) }
            let other = try await shop.server.startBasket(items: [(2001, 1)])
            #expect(try await shop.server.checkout(.filled(for: other, total: 1), key: "o").status == 409)
            #expect(try await shop.server.checkout(.filled(for: other), key: "o").code == "rate_limited")
        }
    }

    @Test("A replay of a checkout costs nothing and is answered after the limit is reached")
    func replays() async throws {
        try await TestShop.run(configuration: configuration(checkouts: 2)) { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            let placed = try await shop.server.checkout(.filled(for: basket), key: "k").expecting(201)
            for _ in 0..<5 {
                let replay = try await shop.server.checkout(.filled(for: basket), key: "k")
                #expect(
                    replay.status == 201 && replay.body == placed.body
                        && replay.header("Idempotency-Replayed") == "true")
            }
            let other = try await shop.server.startBasket(items: [(2001, 1)])
            #expect(try await shop.server.checkout(.filled(for: other, guest: 2), key: "o").status == 201)
            let third = try await shop.server.startBasket(items: [(2001, 1)])
            #expect(try await shop.server.checkout(.filled(for: third, guest: 3), key: "t").code == "rate_limited")
            for _ in 0..<3 {
                #expect(try await shop.server.checkout(.filled(for: basket), key: "k").body == placed.body)
            }
            // These requests resemble a replay, but are not.
            for (form, key) in [
                (CheckoutBody(basketId: "x"), "k"), (CheckoutBody(), "k"), (.filled(for: third, guest: 1), "k"),
            ] {
                #expect(try await shop.server.checkout(form, key: key).code == "rate_limited")
            }
        }
    }

    @Test("A checkout that fails with 503 costs nothing")
    func unavailable() async throws {
        #expect(
            Problem.isServerFault(Problem.overloaded()) && Problem.isServerFault(ShopFault.overloaded))
        #expect(
            Problem.isServerFault(ShopFault.unavailable) && Problem.isServerFault(ShopFault.failed("x"))
        )
        #expect(
            !Problem.isServerFault(Problem.notFound)
                && !Problem.isServerFault(CheckoutIdempotencyKey.ParseError.missing))
        try await withTestBench {
            $0.rateLimits.checkouts = RateLimit(perMinute: 2)
        } _: { bench in
            // This server's checkout always returns 503.
            for _ in 0..<5 {
                let reply = try await bench.server.send("POST", "/v1/checkout")
                #expect(reply.status == 503)
            }
        }
    }

    @Test("After too many unknown coupons, existing and unknown ones get the same response until the wait is over")
    func coupons() async throws {
        try await TestShop.run(configuration: configuration(coupons: 3)) { shop in
            let code = "coupon_tried_too_often"
            try await shop.database.psql(
                """
                insert into coupons (id, key, title, description, benefit, percent)
                values (900, 'HIDDEN', 'x', 'x', 'percent', 50)
                """)
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            func live(_ coupon: String?) async throws -> ValidationBody {
                try await shop.server.validate(.filled(for: basket, coupon: coupon)).expecting(200).decoded()
            }
            // Valid coupons, malformed coupons and unknown baskets cost nothing.
            for _ in 0..<5 {
                #expect(try await live("FRST").fields[.coupon]?.value == .text("FRST"))
                #expect(try await live("no coupon!").fields[.coupon]?.code == "coupon_unknown")
                var unknownBasket = CheckoutBody(basketId: "01890000-0000-7000-8000-000000000000")
                unknownBasket.coupon = "GUESS"
                #expect(try await shop.server.validate(unknownBasket).status == 200)
            }
            #expect(try await live("GUESS1").fields[.coupon]?.code == "coupon_unknown")
            let checkout = try await shop.server.checkout(.filled(for: basket, coupon: "GUESS2"), key: "k")
            #expect(checkout.status == 422 && checkout.errors == ["coupon: coupon_unknown"])
            #expect(try await live("GUESS3").fields[.coupon]?.code == "coupon_unknown")

            var distinct: Set<String> = []
            for coupon in ["GUESS4", "HIDDEN", "FRST"] {
                let answer = try await live(coupon)
                let field = try #require(answer.fields[.coupon])
                #expect(field.code == code && field.message?.contains("wait") == true && !answer.isReady)
                #expect(answer.quote?.discount == 0 && answer.quote?.total == 805)
                distinct.insert("\(field.code ?? "") \(answer.errors)")
                let refused = try await shop.server.checkout(.filled(for: basket, coupon: coupon, total: 403), key: "k")
                #expect(refused.status == 422 && refused.errors == ["coupon: \(code)"])
            }
            #expect(distinct.count == 1)
            // Other errors are reported in the same response, and a checkout without a coupon succeeds.
            var form = CheckoutBody.filled(for: basket, coupon: "HIDDEN")
            form.name = "4nn"
            #expect(try await shop.server.checkout(form, key: "k").errors == ["name: invalid_name", "coupon: \(code)"])
            #expect(try await live(nil).isReady)
            #expect(try await shop.server.checkout(.filled(for: basket), key: "k").status == 201)
        }
    }

    @Test("A client at the coupon limit still gets the replay of an order with a coupon, and others are not limited")
    func couponsOfOthers() async throws {
        try await TestShop.run(configuration: configuration(coupons: 1, proxies: "127.0.0.1")) { shop in
            let order = try await shop.server.order(coupon: "FRST", total: 725)
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            func live(_ coupon: String, from address: String) async throws -> String? {
                let form = CheckoutBody.filled(for: basket, guest: 2, coupon: coupon)
                let reply = try await shop.server.post(
                    "/v1/checkout/validate", json: String(decoding: form.json, as: UTF8.self),
                    headers: [("X-Forwarded-For", address)])
                return try reply.decoded(ValidationBody.self).fields[.coupon]?.code
            }
            for address in ["192.0.2.1", "127.0.0.1"] {
                #expect(try await live("GUESS", from: address) == "coupon_unknown")
                #expect(try await live("GUESS", from: address) == "coupon_tried_too_often")
            }
            #expect(try await live("FRST", from: "192.0.2.2") == nil)
            let form = CheckoutBody.filled(for: try await shop.server.basket(order.id), coupon: "FRST", total: 725)
            let replay = try await shop.server.checkout(form, key: "key of \(order.id)")
            #expect(replay.status == 201 && replay.header("Idempotency-Replayed") == "true", "\(replay.text)")
        }
    }

    @Test("Each of many concurrent guesses is charged and makes the wait longer")
    func concurrentGuesses() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            @Sendable func guess(_ n: Int) async throws -> FieldResultBody? {
                let reply = try await shop.server.validate(.filled(for: basket, coupon: "GUESS\(n)"))
                let body: ValidationBody = try reply.decoded()
                return body.fields[.coupon]
            }
            let start = ContinuousClock.now
            let codes = try await withThrowingTaskGroup(of: String?.self) { tasks in
                for n in 0..<100 { tasks.addTask { try await guess(n)?.code } }
                return try await tasks.reduce(into: []) { $0.append($1) }
            }
            let answered = codes.count { $0 == "coupon_unknown" }
            #expect(answered >= 30 && codes.count { $0 == "coupon_tried_too_often" } == 100 - answered)
            let next = try await guess(100)
            let elapsed = Int((ContinuousClock.now - start).components.seconds) + 1
            let seconds = if case .integer(let seconds)? = next?.params?["seconds"] { seconds } else { Int64(0) }
            // One guess is refilled every two seconds.
            #expect(
                next?.code == "coupon_tried_too_often" && Int(seconds) + elapsed >= 2 * (answered - 30),
                "\(answered), \(seconds)")
        }
    }

    @Test("A valid coupon costs nothing when many requests use it concurrently")
    func concurrentUses() async throws {
        try await TestShop.run(configuration: configuration(coupons: 1)) { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            let codes = try await withThrowingTaskGroup(of: String?.self) { tasks in
                for _ in 0..<50 {
                    tasks.addTask {
                        let reply = try await shop.server.validate(.filled(for: basket, coupon: "FRST"))
                        return try reply.decoded(ValidationBody.self).fields[.coupon]?.code
                    }
                }
                return try await tasks.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.allSatisfy { $0 == nil })
        }
    }

    @Test("Requests through an unconfigured proxy are logged once for the operator")
    func unnamedProxy() async throws {
        for (proxies, lines) in [(nil, 1), ("127.0.0.1", 0)] as [(String?, Int)] {
            let log = LogRecorder()
            try await TestShop.run(configuration: configuration(proxies: proxies), logger: log.logger) { shop in
                let basket = try await shop.server.startBasket(items: [(2001, 1)])
                let form = String(decoding: CheckoutBody.filled(for: basket, coupon: "GUESS").json, as: UTF8.self)
                for _ in 0..<3 {
                    _ = try await shop.server.post(
                        "/v1/checkout/validate", json: form, headers: [("X-Forwarded-For", "192.0.2.1")])
                }
            }
            #expect(log.lines.withLock { $0.count { $0.contains("--trusted-proxies") } } == lines)
        }
    }

    @Test("Behind a trusted proxy, clients are identified by the address that the proxy saw")
    func proxies() async throws {
        try await TestShop.run(configuration: configuration(baskets: 1, proxies: "127.0.0.0/8, 10.0.0.1")) { shop in
            for (forwarded, status) in [
                ("192.0.2.1", 201), ("192.0.2.2", 201),
                // Earlier addresses are sent by the client and can be forged.
                ("198.51.100.7, 192.0.2.1, 10.0.0.1", 429), ("2001:db8::1", 201),
                // A /64 network counts as one client.
                ("[2001:db8::ffff]:4711", 429), ("2001:db8:0:1::1", 201),
            ] {
                let reply = try await shop.server.send("POST", "/v1/baskets", headers: [("X-Forwarded-For", forwarded)])
                #expect(reply.status == status, "\(forwarded)")
            }
        }
    }

    @Test("Without a limit nothing is counted, and responses have no RateLimit headers")
    func noLimit() async throws {
        try await TestShop.run { shop in
            for _ in 0..<20 {
                let created = try await shop.server.send("POST", "/v1/baskets")
                #expect(
                    created.status == 201 && created.header("RateLimit") == nil
                        && created.header("RateLimit-Policy") == nil)
            }
        }
    }
}
