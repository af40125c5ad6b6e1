// The log of every route at debug and trace level: no personal data, no tokens and no forged lines.

import Foundation
import Support
import Testing
import Wire

@Suite("The log", .timeLimit(.minutes(10)))
struct LogPrivacyTests {
    /// Texts that no line may contain.
    private static let secrets = [
        "Zebedee", "Quagmire", "5550147", "555-0147", "zebedee.q@secret.example", "99 Hidden Lane", "hidden lane",
        "ring twice please",
        "staff-token-of-this-run", "QZ9 7ZZ",
    ]

    @Test(
        "The log contains no personal data and no forged line, as text and as JSON, at debug and at trace level",
        arguments: ["text", "json"], ["debug", "trace"])
    func privacy(format: String, level: String) async throws {
        let port = try Program.freePort()
        try await TestDatabase.with(.seeded) { database in
            var arguments = [
                "--database-url", database.url, "--port", "\(port)", "--log-format", format, "--log-level", level,
                "--staff-token",
                "staff-token-of-this-run",
            ]
            if format == "json" { arguments += ["--trace-log", "1"] }
            try await Program.serve(arguments) { running in
                let tokens = try await TestServer.connect(port: port) { server in
                    try await Self.callEveryRoute(server, database)
                }
                try await eventually("the last request is logged") {
                    running.log().contains { $0.contains("/the-last-one") }
                }
                let lines = running.log()
                #expect(lines.count > 60)
                for line in lines {
                    for secret in Self.secrets + tokens {
                        #expect(!line.lowercased().contains(secret.lowercased()), "\(secret): \(line)")
                    }
                    let controls = line.unicodeScalars.filter {
                        $0.value < 0x20 || 0x7F..<0xA0 ~= $0.value || 0x2028...0x202E ~= $0.value
                    }
                    #expect(controls.isEmpty, "\(line.debugDescription)")
                    #expect(!line.hasPrefix("FORGED"))
                    if format == "json" {
                        #expect(try JSONSerialization.jsonObject(with: Data(line.utf8)) is [String: Any], "\(line)")
                    } else {
                        #expect(Self.isLine(line), "\(line)")
                    }
                }
            }
        }
    }

    /// Sends valid and invalid requests with personal data to every route; returns the orders' tokens.
    private static func callEveryRoute(_ server: TestServer, _ database: TestDatabase) async throws -> [String] {
        let basket = try await server.startBasket(items: [(2001, 1), (2004, 2)], sales: [200])
        var form = CheckoutBody(basketId: basket.id)
        form.name = "Zebedee Quagmire"
        form.phone = "(212) 555-0147"
        form.email = "zebedee.q@secret.example"
        form.address = "99 Hidden Lane, Springfield"
        form.comment = "ring twice please"
        form.postcode = "QZ9 7ZZ"
        form.expectedTotal = 1
        for coupon in [nil, "FRST", "HAPPY", "zebedee"] {
            form.coupon = coupon
            _ = try await server.validate(form)
            _ = try await server.checkout(form, key: "key of Zebedee")
        }
        (form.coupon, form.expectedTotal) = (nil, basket.total)
        let order = try await server.checkout(form, key: "k").expecting(201).decoded(OrderBody.self)
        _ = try await server.checkout(form, key: "k")
        form.name = "Quagmire Zebedee"
        _ = try await server.checkout(form, key: "k")
        let token = try #require(order.accessToken)
        let (guest, staff) = (
            [("Authorization", "Bearer \(token)")], [("Authorization", "Bearer staff-token-of-this-run")]
        )
        for path in [
            "/v1/home", "/v1/shop", "/v1/menu?q=zebedee", "/v1/menu/2001", "/v1/categories", "/v1/sales", "/v1/coupons",
            "/v1/errors",
            "/livez",
            "/readyz",
            "/metrics", "/openapi.json", "/", "/v1/orders/\(order.id)", "/v1/orders/\(order.id)/receipt",
            "/v1/baskets/\(basket.id)",
            "/v1/orders/\(order.id)/events?t=\(token)",
        ] where !path.contains("events") { _ = try await server.get(path, headers: guest) }
        for path in ["/v1/staff/orders", "/v1/staff/orders/\(order.number)", "/v1/staff/today"] {
            _ = try await server.get(path, headers: staff)
        }
        let advance = "/v1/staff/orders/\(order.number)/advance"
        _ = try await server.post(
            advance, json: #"{"state": "rejected", "reason": "Zebedee Quagmire owes us"}"#, headers: staff)
        _ = try await server.post(
            advance, json: #"{"state": "zebedee", "reason": "\u001b[31m\nFORGED"}"#, headers: staff)
        for thing in ["menu/2001", "options/1201"] {
            _ = try await server.post(
                "/v1/staff/\(thing)/availability", json: #"{"isAvailable": true}"#, headers: staff)
            _ = try await server.post("/v1/staff/\(thing)/stock", json: #"{"perDay": 9}"#, headers: staff)
        }
        _ = try await server.cancel(order)
        for (key, value) in [("name", "a"), ("comment", "a"), ("email", "a"), ("coupon", "a"), ("basketId", "a")] {
            let forged = "\(value)\\r\\nFORGED 2026 error\\u001b[2K\\u2028FORGED"
            for path in ["/v1/checkout", "/v1/checkout/validate"] {
                _ = try await server.post(
                    path, json: "{\"\(key)\": \"\(forged)\"}", headers: [("Idempotency-Key", "k")])
            }
        }
        for head in [
            "GET /\u{2028}FORGED HTTP/1.1\r\nHost: x", "GET /\u{85}FORGED\u{9B}31m\u{202E} HTTP/1.1\r\nHost: x",
            "GET /%0D%0AFORGED HTTP/1.1\r\nHost: x",
            "GET /a\u{1B}[31m HTTP/1.1\r\nHost: x", "GET /a\rFORGED HTTP/1.1\r\nHost: x",
            "GET /a HTTP/1.1\r\nHost: x\u{2028}FORGED",
            "GET /a HTTP/1.1\r\nHost: x\r\nUser-Agent: a\u{1B}[2K\u{2028}FORGED",
            "GET /a HTTP/1.1\r\nHost: x\r\ntraceparent: 00-\u{2028}FORGED",
            "FORGED\u{1B} /a HTTP/1.1\r\nHost: x",
            "GET /a HTTP/1.1\r\nHost: x\r\nX-Request-Id: FORGED\u{2028}\r\nLast-Event-ID: \u{2028}FORGED",
        ] {
            try await server.withRawConnection { connection in
                try await connection.send(head + "\r\nConnection: close\r\n\r\n")
                _ = await connection.readToEnd()
            }
        }
        // Faults are logged in full, so the database is unreachable during a checkout.
        let second = try await server.startBasket(items: [(2001, 1)])
        form.basketId = second.id
        form.expectedTotal = second.total
        try await database.refuseConnections()
        _ = try await server.checkout(form, key: "k2")
        _ = try await server.get("/v1/orders/\(order.id)", headers: guest)
        try await database.acceptConnections()
        try await eventually("the database is back") { try await server.get("/v1/orders/\(order.id)").status == 200 }
        _ = try await server.get("/the-last-one")
        return [token]
    }

    /// Whether the line has the format `time level label: … [source] message`.
    private static func isLine(_ line: String) -> Bool {
        let words = line.split(separator: " ", maxSplits: 3)
        let levels = ["trace", "debug", "info", "notice", "warning", "error", "critical"]
        return words.count == 4 && words[0].utf8.count == 20 && words[0].hasSuffix("Z")
            && levels.contains(String(words[1]))
            && words[2] == "welms:"
    }
}
