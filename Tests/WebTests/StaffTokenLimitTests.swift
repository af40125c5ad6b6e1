// Tests the rate limit on wrong staff tokens over a real socket.
import HTTPServing
import Support
import Testing

@testable import Web

@Suite("Rate limit on staff tokens", .timeLimit(.minutes(10)))
struct StaffTokenLimitTests {
    private static let path = "/v1/staff/me"

    private static func configuration(proxies: String? = nil) -> WebConfiguration {
        var configuration = WebConfiguration(port: 0)
        configuration.staffToken = StaffToken(StaffTests.token)
        if let proxies = proxies.flatMap(TrustedProxies.init) { configuration.server.trustedProxies = proxies }
        return configuration
    }

    private static func bearer(_ token: String, from address: String? = nil) -> [(String, String)] {
        [("Authorization", "Bearer \(token)")] + (address.map { [("X-Forwarded-For", $0)] } ?? [])
    }

    /// Sends wrong tokens until the limit is reached; returns how many responses were 401.
    private static func exhaust(_ shop: TestShop, from address: String? = nil) async throws -> Int {
        for count in 0..<40 {
            let reply = try await shop.server.get(path, headers: bearer("wrong-\(count)", from: address))
            if reply.code == "rate_limited" { return count }
            #expect(reply.status == 401 && reply.code == "invalid_token", "\(reply.text)")
        }
        return 40
    }

    private static func add(_ name: String, _ shop: TestShop) async throws {
        try await shop.database.psql(
            """
            insert into staff_members (name, role, token_digest)
            values ('\(name)', 'kitchen', sha256('\(name)-token'))
            """
        )
    }

    @Test("After ten wrong tokens every token except a member's returns 429, and one line is logged")
    func limit() async throws {
        let log = LogRecorder()
        try await TestShop.run(configuration: Self.configuration(), logger: log.logger) { shop in
            try await Self.add("ann", shop)
            // The bucket refills one token every six seconds.
            let start = ContinuousClock.now
            let failures = try await Self.exhaust(shop)
            let refilled = Int((ContinuousClock.now - start).components.seconds) / 6
            #expect((10...10 + refilled).contains(failures))
            for token in ["another-wrong-token", StaffTests.token] {
                let refused = try await shop.server.get(Self.path, headers: Self.bearer(token))
                #expect(refused.status == 429 && refused.code == "rate_limited", "\(refused.text)")
                let seconds = try #require(refused.header("Retry-After").flatMap { Int($0) })
                #expect((1...6).contains(seconds))
                #expect(refused.header("RateLimit-Policy") == "\"staff-tokens\";q=10;w=60")
                #expect(refused.header("RateLimit") == "\"staff-tokens\";r=0;t=\(seconds)")
            }
            #expect(try await shop.server.get(Self.path, headers: Self.bearer("ann-token")).status == 200)
            #expect(
                try await shop.server.get(Self.path).code == "token_required",
                "a request without a token is not a guess")
            #expect(try await shop.server.get("/v1/menu").status == 200)
        }
        let lines = log.lines.withLock { $0 }
        let warnings = lines.filter { $0.contains("Wrong staff token") }
        #expect(warnings.count == 1 && warnings.first?.contains("127.0.0.1") == true, "\(warnings)")
        #expect(!lines.contains { $0.contains("wrong-") || $0.contains(StaffTests.token) })
    }

    @Test("The limit counts no right token, and no wrong token while no token exists")
    func noCost() async throws {
        try await TestShop.run(configuration: Self.configuration()) { shop in
            try await Self.add("ann", shop)
            for _ in 0..<15 {
                for token in [StaffTests.token, "ann-token"] {
                    #expect(try await shop.server.get(Self.path, headers: Self.bearer(token)).status == 200)
                }
            }
            #expect(try await Self.exhaust(shop) >= 10)
        }
        try await TestShop.run { shop in
            for _ in 0..<15 {
                #expect(try await shop.server.get(Self.path, headers: Self.bearer("x")).code == "staff_token_missing")
            }
            try await Self.add("ann", shop)
            try await eventually("ann can sign in") {
                try await shop.server.get(Self.path, headers: Self.bearer("ann-token")).status == 200
            }
            #expect(try await Self.exhaust(shop) >= 10)
        }
    }

    @Test("Of 200 concurrent wrong tokens, at most ten are compared")
    func concurrentGuesses() async throws {
        try await TestShop.run(configuration: Self.configuration()) { shop in
            let start = ContinuousClock.now
            let codes = try await runConcurrently(Array(0..<200)) { n in
                try await shop.server.get(Self.path, headers: Self.bearer("wrong-\(n)")).code
            }
            let refilled = Int((ContinuousClock.now - start).components.seconds) / 6
            let compared = codes.count { $0 == "invalid_token" }
            #expect((10...10 + refilled).contains(compared) && codes.count { $0 == "rate_limited" } == 200 - compared)
        }
    }

    @Test("The limit applies to the address that a trusted proxy forwards, and a /64 network counts as one")
    func addresses() async throws {
        try await TestShop.run(configuration: Self.configuration(proxies: "127.0.0.1")) { shop in
            for (limited, same, other) in [
                ("192.0.2.1", "192.0.2.1", "192.0.2.2"), ("2001:db8::1", "2001:db8::ffff", "2001:db8:0:1::1"),
            ] {
                _ = try await Self.exhaust(shop, from: limited)
                #expect(
                    try await shop.server.get(Self.path, headers: Self.bearer(StaffTests.token, from: same)).status
                        == 429)
                #expect(
                    try await shop.server.get(Self.path, headers: Self.bearer(StaffTests.token, from: other)).status
                        == 200)
            }
        }
    }

    @Test(
        "At the limit, a large body returns 429 for a wrong and for the right token, which reveals nothing"
    )
    func largeBody() async throws {
        try await TestShop.run(configuration: Self.configuration()) { shop in
            _ = try await Self.exhaust(shop)
            for token in ["wrong-token", StaffTests.token] {
                try await shop.server.withRawConnection { connection in
                    try await connection.send(
                        """
                        PUT /v1/staff/menu/2001/photograph HTTP/1.1\r\nHost: x\r\nContent-Type: image/png\r\n\
                        Authorization: Bearer \(token)\r\nContent-Length: 1000000\r\n\r\n
                        """)
                    #expect(try await connection.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 429 "))
                }
            }
        }
    }

    @Test("Guesses count while the database is unavailable, and the right token is still accepted then")
    func databaseAway() async throws {
        try await TestShop.run(configuration: Self.configuration()) { shop in
            try await shop.database.refuseConnections()
            #expect(try await shop.server.get(Self.path, headers: Self.bearer(StaffTests.token)).status == 200)
            let statuses = try await runConcurrently(Array(0..<12)) { n in
                try await shop.server.get(Self.path, headers: Self.bearer("wrong-\(n)")).status
            }
            #expect(statuses.allSatisfy { [401, 429, 503].contains($0) }, "\(statuses)")
            #expect(try await shop.server.get(Self.path, headers: Self.bearer(StaffTests.token)).status != 200)
            try await shop.database.acceptConnections()
        }
    }

    @Test("The OpenAPI document describes the 429 of every staff route")
    func described() throws {
        let document = try JSON(OpenAPIDocument.read())
        for (path, item) in try #require(document["paths"]?.members) where path.hasPrefix("/v1/staff/") {
            for (method, operation) in item.members where method != "parameters" {
                #expect(operation["responses"]?["429"] != nil, "\(method) \(path)")
            }
        }
    }
}
