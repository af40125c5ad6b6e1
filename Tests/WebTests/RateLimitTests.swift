// Limits for each client, over a real socket and as numbers. Tests Sources/Web/RateLimits.
import Support
import Testing

@testable import Web

@Suite("Rate limits")
struct RateLimitTests {
    private func configuration(baskets: Int? = nil, checkouts: Int? = nil, proxies: String? = nil) -> WebConfiguration {
        var web = WebConfiguration(port: 0)
        web.rateLimits.baskets = baskets.flatMap(RateLimit.init(perMinute:))
        web.rateLimits.checkouts = checkouts.flatMap(RateLimit.init(perMinute:))
        if let proxies = proxies.flatMap(TrustedProxies.init) { web.rateLimits.trustedProxies = proxies }
        return web
    }

    @Test("A client who starts too many baskets is told when to come back, whatever it claims to be; what costs nothing goes on")
    func baskets() async throws {
        try await TestShop.run(configuration: configuration(baskets: 3)) { shop in
            for left in [2, 1, 0] {
                let made = try await shop.server.send("POST", "/v1/baskets", headers: [("X-Forwarded-For", "192.0.2.\(left)")])
                #expect(made.status == 201)
                #expect(made.header("RateLimit-Policy") == "\"baskets\";q=3;w=60")
                #expect(made.header("RateLimit")?.hasPrefix("\"baskets\";r=\(left);t=") == true, "\(made.header("RateLimit") ?? "")")
            }
            let refused = try await shop.server.send("POST", "/v1/baskets", headers: [("X-Forwarded-For", "192.0.2.9")])
            #expect(refused.status == 429 && refused.code == "rate_limited")
            let seconds = try #require(refused.header("Retry-After").flatMap { Int($0) })
            #expect((1...20).contains(seconds))
            #expect(refused.header("RateLimit") == "\"baskets\";r=0;t=\(seconds)")
            #expect(refused.header("RateLimit-Policy") == "\"baskets\";q=3;w=60")
            let document = try JSON(OpenAPIDocument.read())
            let described = try #require(
                document["paths"]?["/v1/baskets"]?["post"]?["responses"]?["429"]?["$ref"]?.text.flatMap(document.resolved))
            let schema = try #require(described["content"]?["application/problem+json"]?["schema"])
            #expect(JSONSchema(document: document).complaints(about: try JSON(refused.body), by: schema) == [])
            let count = try await shop.database.psql("select count(*) from baskets")
            #expect(count == "3", "nothing was done")
            for path in ["/v1/menu", "/v1/home"] {
                let reply = try await shop.server.get(path)
                #expect(reply.status == 200 && reply.header("RateLimit") == nil)
            }
        }
    }

    @Test("Checkouts have a limit of their own; a refused one counts, the live form does not")
    func checkouts() async throws {
        try await TestShop.run(configuration: configuration(checkouts: 2)) { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            let placed = try await shop.server.checkout(.filled(for: basket), key: "k")
            #expect(placed.status == 201 && placed.header("RateLimit-Policy") == "\"checkouts\";q=2;w=60")
            for _ in 0..<3 { #expect(try await shop.server.validate(.filled(for: basket)).status == 200) }
            #expect(try await shop.server.checkout(.filled(for: basket), key: "other").status == 409)
            #expect(try await shop.server.checkout(.filled(for: basket), key: "k").code == "rate_limited")
        }
    }

    @Test("Behind a trusted proxy clients are told apart by what the proxy saw, not by what they say")
    func proxies() async throws {
        try await TestShop.run(configuration: configuration(baskets: 1, proxies: "127.0.0.0/8, 10.0.0.1")) { shop in
            for (forwarded, status) in [
                ("192.0.2.1", 201), ("192.0.2.2", 201),
                // What stands before the client's address is its own word.
                ("198.51.100.7, 192.0.2.1, 10.0.0.1", 429), ("2001:db8::1", 201),
                // A /64 is one client.
                ("[2001:db8::ffff]:4711", 429), ("2001:db8:0:1::1", 201),
            ] {
                let made = try await shop.server.send("POST", "/v1/baskets", headers: [("X-Forwarded-For", forwarded)])
                #expect(made.status == status, "\(forwarded)")
            }
        }
    }

    @Test("Without a limit nothing is counted, and answers say nothing of one")
    func off() async throws {
        try await TestShop.run { shop in
            for _ in 0..<20 {
                let made = try await shop.server.send("POST", "/v1/baskets")
                #expect(made.status == 201 && made.header("RateLimit") == nil && made.header("RateLimit-Policy") == nil)
            }
        }
    }

    @Test("A bucket holds a minute's worth, fills evenly, and never more than that")
    func bucket() throws {
        let limiter = RateLimiter(try #require(RateLimit(perMinute: 60)))
        let one = try #require(NetworkAddress("192.0.2.1"))
        let second: Int64 = 1_000_000_000
        for taken in 1...60 {
            let verdict = limiter.take(one, at: 0)
            #expect(verdict == .init(isAllowed: true, remaining: 60 - taken, seconds: taken))
        }
        #expect(limiter.take(one, at: 0) == .init(isAllowed: false, remaining: 0, seconds: 1))
        #expect(limiter.take(one, at: second - 1) == .init(isAllowed: false, remaining: 0, seconds: 1), "refusals cost nothing")
        #expect(limiter.take(one, at: second).isAllowed)
        #expect(!limiter.take(one, at: second).isAllowed)
        let other = try #require(NetworkAddress("192.0.2.2"))
        #expect(limiter.take(other, at: second).remaining == 59)
        #expect(limiter.take(one, at: 1000 * second).remaining == 59)
    }

    @Test("Clients are remembered for the minute that counts, and never more of them than there is room for")
    func bounded() throws {
        let limit = try #require(RateLimit(perMinute: 1))
        let limiter = RateLimiter(limit, mostClients: 100)
        for n in 0..<10_000 {
            let client = try address(n)
            #expect(limiter.take(client, at: Int64(n)).isAllowed)
            #expect(!limiter.take(client, at: Int64(n)).isAllowed)
            #expect(limiter.clients <= 100)
        }
        let quiet = RateLimiter(limit, mostClients: 100)
        let (one, other, later) = (try address(1), try address(2), try address(3))
        let minute: Int64 = 60_000_000_000
        // The table turns in the middle of this client's minute.
        #expect(quiet.take(one, at: minute - 1).isAllowed)
        #expect(quiet.take(other, at: minute + 1).isAllowed)
        #expect(!quiet.take(one, at: 2 * minute - 2).isAllowed)
        #expect(quiet.take(one, at: 2 * minute - 1).isAllowed)
        #expect(quiet.take(later, at: 10 * minute).isAllowed)
        #expect(quiet.clients == 1)
    }

    private func address(_ n: Int) throws -> NetworkAddress { try #require(NetworkAddress("10.0.\(n / 256).\(n % 256)")) }

    @Test("Addresses and ranges are read as proxies write them, and anything else is none")
    func addresses() throws {
        #expect(NetworkAddress("::ffff:192.0.2.1") == NetworkAddress("192.0.2.1"))
        #expect(NetworkAddress("192.0.2.1:80") == NetworkAddress("192.0.2.1"))
        #expect(NetworkAddress("[::1]:80") == NetworkAddress("::1"))
        for wrong in ["", "unknown", "192.0.2", "192.0.2.256", "_hidden", "[::1", ":::", "1\u{0}", String(repeating: "1", count: 60)] {
            #expect(NetworkAddress(wrong) == nil, "\(wrong)")
        }
        for (range, address, isIn) in [
            ("10.0.0.0/8", "10.255.1.2", true), ("10.0.0.0/8", "11.0.0.0", false), ("10.0.0.1", "10.0.0.1", true),
            ("10.0.0.1", "10.0.0.2", false),
            ("2001:db8::/33", "2001:db8:7fff::1", true), ("2001:db8::/33", "2001:db8:8000::1", false), ("::1", "::1", true),
            ("2001:db8::/96", "2001:db8::ffff:1", true), ("2001:db8::/96", "2001:db8::1:0:1", false), ("0.0.0.0/0", "8.8.8.8", true),
            ("0.0.0.0/0", "2001:db8::1", false), ("::/0", "2001:db8::1", true),
        ] {
            let (range, address) = (try #require(NetworkRange(range)), try #require(NetworkAddress(address)))
            #expect(range.contains(address) == isIn, "\(address) in \(range)")
        }
        for wrong in ["10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "::1/129", "10.0.0.1:80", "[::1]", "proxy.example"] {
            #expect(NetworkRange(wrong) == nil, "\(wrong)")
        }
        #expect(TrustedProxies("10.0.0.1,") == nil && TrustedProxies("10.0.0.1, fd00::/8") != nil)
    }
}
