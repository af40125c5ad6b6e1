// Tests which origins may use the API from a page: none, or exactly the configured ones.
import HTTPServing
import Support
import Testing
import Web

@Suite("Cross-origin requests")
struct CrossOriginTests {
    private func configuration(_ origins: String...) throws -> WebConfiguration {
        var web = WebConfiguration(port: 0)
        web.server.crossOrigin = try CrossOrigin.parse(origins).get()
        return web
    }

    private func preflight(_ origin: String, _ method: String = "POST") -> [(String, String)] {
        [
            ("Origin", origin), ("Access-Control-Request-Method", method),
            ("Access-Control-Request-Headers", "content-type,idempotency-key"),
        ]
    }

    @Test("Without a configured origin, no response permits cross-origin use, and OPTIONS returns 405")
    func notConfigured() async throws {
        try await TestShop.run { shop in
            let preflightReply = try await shop.server.send(
                "OPTIONS", "/v1/checkout", headers: preflight("https://shop.example"))
            #expect(preflightReply.status == 405 && preflightReply.header("Allow") == "POST")
            let read = try await shop.server.get("/v1/menu", headers: [("Origin", "https://shop.example")])
            #expect(read.status == 200)
            for reply in [preflightReply, read] {
                #expect(!reply.headerNames.contains { $0.hasPrefix("access-control-") })
                #expect(reply.header("Vary")?.contains("Origin") != true)
            }
        }
    }

    @Test("A configured origin may send preflights and read all responses, and other origins get no CORS headers")
    func named() async throws {
        try await TestShop.run(configuration: configuration("https://shop.example", "http://localhost:3000")) { shop in
            for origin in ["https://shop.example", "http://localhost:3000"] {
                let preflightReply = try await shop.server.send("OPTIONS", "/v1/checkout", headers: preflight(origin))
                #expect(preflightReply.status == 204 && preflightReply.body.isEmpty)
                #expect(preflightReply.header("Access-Control-Allow-Origin") == origin)
                #expect(preflightReply.header("Access-Control-Allow-Methods") == "POST")
                let headers = preflightReply.header("Access-Control-Allow-Headers")?.lowercased() ?? ""
                for name in ["content-type", "idempotency-key", "if-match", "authorization"] {
                    #expect(headers.contains(name))
                }
                #expect(preflightReply.header("Access-Control-Max-Age") == "7200")
                #expect(preflightReply.header("Access-Control-Allow-Credentials") == nil)

                let read = try await shop.server.get("/v1/menu", headers: [("Origin", origin)])
                #expect(read.status == 200 && read.header("Access-Control-Allow-Origin") == origin)
                #expect(read.header("Vary") == "Accept-Language, Accept-Encoding, Origin")
                #expect(
                    read.header("Access-Control-Expose-Headers")
                        == "ETag, Idempotency-Replayed, Location, Menu-Stale, RateLimit, RateLimit-Policy, "
                        + "Retry-After, X-Request-Id")
                let refused = try await shop.server.post("/v1/checkout", json: "{}", headers: [("Origin", origin)])
                #expect(refused.status == 400 && refused.header("Access-Control-Allow-Origin") == origin)
            }
            for otherOrigin in [
                "https://shop.example.evil.example", "http://shop.example", "https://shop.example:8443", "null",
                "https://SHOP.example",
            ] {
                let preflightReply = try await shop.server.send(
                    "OPTIONS", "/v1/checkout", headers: preflight(otherOrigin))
                #expect(preflightReply.status == 405)
                let read = try await shop.server.get("/v1/menu", headers: [("Origin", otherOrigin)])
                #expect(read.status == 200 && read.header("Vary") == "Accept-Language, Accept-Encoding, Origin")
                for reply in [preflightReply, read] {
                    #expect(!reply.headerNames.contains { $0.hasPrefix("access-control-") }, "\(otherOrigin)")
                }
            }
            let unknownPath = try await shop.server.send(
                "OPTIONS", "/nowhere", headers: preflight("https://shop.example"))
            #expect(unknownPath.status == 404)
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            let order = try await shop.server.checkout(.filled(for: basket), key: "k").expecting(201)
            #expect(order.header("Vary") == "Accept-Language, Origin", "a cache may store a response without an origin")
            let shown = try await shop.server.get("/v1/orders/\(basket.id)")
            #expect(shown.header("Vary") == "Authorization, Origin")
        }
    }
}
