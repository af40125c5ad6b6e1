// Who may use the API from a page of another origin: nobody, or exactly those who are named. Tests Sources/Web/Serving/CrossOrigin.swift.
import Support
import Testing
import Web

@Suite("Other origins' pages")
struct CrossOriginTests {
    private func configuration(_ origins: String...) throws -> WebConfiguration {
        var web = WebConfiguration(port: 0)
        web.crossOrigin = try CrossOrigin.parse(origins).get()
        return web
    }

    private func preflight(_ origin: String, _ method: String = "POST") -> [(String, String)] {
        [("Origin", origin), ("Access-Control-Request-Method", method), ("Access-Control-Request-Headers", "content-type,idempotency-key")]
    }

    @Test("Unless an origin is named, no answer allows any, and OPTIONS is a method like any other that isn't there")
    func off() async throws {
        try await TestShop.run { shop in
            let asked = try await shop.server.send("OPTIONS", "/v1/checkout", headers: preflight("https://shop.example"))
            #expect(asked.status == 405 && asked.header("Allow") == "POST")
            let read = try await shop.server.get("/v1/menu", headers: [("Origin", "https://shop.example")])
            #expect(read.status == 200)
            for reply in [asked, read] {
                #expect(!reply.headerNames.contains { $0.hasPrefix("access-control-") })
                #expect(reply.header("Vary")?.contains("Origin") != true)
            }
        }
    }

    @Test("A named origin may ask beforehand and read answers, refusals too; another is told nothing")
    func named() async throws {
        try await TestShop.run(configuration: configuration("https://shop.example", "http://localhost:3000")) { shop in
            for origin in ["https://shop.example", "http://localhost:3000"] {
                let asked = try await shop.server.send("OPTIONS", "/v1/checkout", headers: preflight(origin))
                #expect(asked.status == 204 && asked.body.isEmpty)
                #expect(asked.header("Access-Control-Allow-Origin") == origin)
                #expect(asked.header("Access-Control-Allow-Methods") == "POST")
                let headers = asked.header("Access-Control-Allow-Headers")?.lowercased() ?? ""
                for name in ["content-type", "idempotency-key", "if-match", "authorization"] { #expect(headers.contains(name)) }
                #expect(asked.header("Access-Control-Max-Age") == "7200")
                #expect(asked.header("Access-Control-Allow-Credentials") == nil)

                let read = try await shop.server.get("/v1/menu", headers: [("Origin", origin)])
                #expect(read.status == 200 && read.header("Access-Control-Allow-Origin") == origin)
                #expect(read.header("Vary") == "Accept-Language, Accept-Encoding, Origin")
                #expect(read.header("Access-Control-Expose-Headers")?.contains("ETag") == true)
                let refused = try await shop.server.post("/v1/checkout", json: "{}", headers: [("Origin", origin)])
                #expect(refused.status == 400 && refused.header("Access-Control-Allow-Origin") == origin)
            }
            for stranger in [
                "https://shop.example.evil.example", "http://shop.example", "https://shop.example:8443", "null", "https://SHOP.example",
            ] {
                let asked = try await shop.server.send("OPTIONS", "/v1/checkout", headers: preflight(stranger))
                #expect(asked.status == 405)
                let read = try await shop.server.get("/v1/menu", headers: [("Origin", stranger)])
                #expect(read.status == 200 && read.header("Vary") == "Accept-Language, Accept-Encoding, Origin")
                for reply in [asked, read] { #expect(!reply.headerNames.contains { $0.hasPrefix("access-control-") }, "\(stranger)") }
            }
            let nowhere = try await shop.server.send("OPTIONS", "/nowhere", headers: preflight("https://shop.example"))
            #expect(nowhere.status == 404)
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            let order = try await shop.server.checkout(.filled(for: basket), key: "k").expecting(201)
            #expect(order.header("Vary") == "Accept-Language, Origin", "also for whom has no origin: a cache may keep it for one who has")
            let shown = try await shop.server.get("/v1/orders/\(basket.id)")
            #expect(shown.header("Vary") == "Authorization, Origin")
        }
    }

    @Test("What is no exact origin is refused with what would be one")
    func mistakes() throws {
        for wrong in [
            "*", "null", "shop.example", "https://shop.example/", "https://*.example", "https://Shop.example", "https://shop.example:443",
            "", "https://", "ftp://a",
        ] {
            #expect(throws: CrossOrigin.NoOrigin.self, "\(wrong)") { try CrossOrigin.parse([wrong]).get() }
        }
        for right in [
            "https://shop.example", "http://localhost:3000", "http://[::1]:81",
            "https://xn--bcher-kva.example",
        ] {
            #expect(throws: Never.self, "\(right)") { try CrossOrigin.parse([right]).get() }
        }
        let none = try CrossOrigin.parse([]).get()
        #expect(none == nil)
    }
}
