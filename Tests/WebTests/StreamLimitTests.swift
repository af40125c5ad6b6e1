// Tests the limit of event streams per client address over real sockets.
import HTTPServing
import Support
import Testing

@testable import Web

@Suite("Limit of event streams", .timeLimit(.minutes(2)))
struct StreamLimitTests {
    private static let errors = "/v1/errors/events"

    /// Holds `count` streams open while the closure runs.
    private static func holdStreams(
        _ count: Int, of path: String = errors, from address: String = "127.0.0.1", on server: TestServer,
        headers: [(String, String)] = [], _ body: () async throws -> Void = {}
    ) async throws {
        guard count > 0 else { return try await body() }
        try await server.withRawConnection(from: address) { connection in
            try await connection.openStream(path, headers: headers)
            try await holdStreams(count - 1, of: path, from: address, on: server, headers: headers, body)
        }
    }

    /// Expects that the limit rejects a stream.
    private static func expectRefusal(
        of path: String = errors, from address: String = "127.0.0.1", on server: TestServer,
        headers: [(String, String)] = []
    ) async throws {
        let lines = headers.map { "\($0.0): \($0.1)\r\n" }.joined()
        let answer = try await server.withRawConnection(from: address) { connection in
            try await connection.send("GET \(path) HTTP/1.1\r\nHost: x\r\n\(lines)\r\n")
            return try await connection.read(until: "}")
        }
        #expect(answer.hasPrefix("HTTP/1.1 429 ") && answer.contains("\"code\":\"rate_limited\""), "\(answer)")
        #expect(answer.contains("Retry-After: 5\r\n"), "\(answer)")
    }

    @Test("The 65th stream of a client returns 429 with Retry-After, and the end of a stream permits another")
    func limit() async throws {
        try await withTestBench { bench in
            let server = bench.server
            try await Self.holdStreams(63, on: server) {
                for _ in 0..<10 { #expect(try await server.send("HEAD", Self.errors).status == 200) }
                try await Self.holdStreams(1, on: server) {
                    try await Self.expectRefusal(on: server)
                    #expect(try await server.get("/v1/errors").status == 200, "other routes are not limited")
                    try await Self.holdStreams(1, from: "127.0.0.2", on: server)
                }
                try await eventually("the server has removed the ended streams") { bench.errors.subscriberCount == 63 }
                try await Self.holdStreams(1, on: server)
            }
        }
    }

    @Test("Behind a trusted proxy the forwarded address counts, and a /64 network counts as one")
    func proxy() async throws {
        try await withTestBench {
            $0.server.maxStreamsPerClient = 1
            if let proxies = TrustedProxies("127.0.0.1") { $0.server.trustedProxies = proxies }
        } _: { bench in
            let server = bench.server
            for (client, same, other) in [
                ("192.0.2.1", "192.0.2.1", "192.0.2.2"), ("2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"),
            ] {
                try await Self.holdStreams(1, on: server, headers: [("X-Forwarded-For", client)]) {
                    try await Self.expectRefusal(on: server, headers: [("X-Forwarded-For", same)])
                    try await Self.holdStreams(1, on: server, headers: [("X-Forwarded-For", other)])
                }
            }
        }
    }

    @Test("Streams of orders, staff and errors count together, and a rejected request does not count")
    func everyStream() async throws {
        var configuration = StaffTests.configuration()
        configuration.server.maxStreamsPerClient = 2
        try await TestShop.run(configuration: configuration) { shop in
            let order = try await shop.server.order()
            let paths = ["/v1/orders/\(order.id)/events", "/v1/staff/orders/events", Self.errors]
            for _ in 0..<3 {
                #expect(try await shop.server.get("/v1/orders/x/events").status == 404)
                #expect(try await shop.server.get(paths[1]).status == 401)
            }
            // A staff token is not accepted for an order's stream.
            let headers = [[], StaffTests.bearer, []]
            for (number, (path, headers)) in zip(1..., zip(paths, headers)) {
                let address = "127.0.0.\(number)"
                try await Self.holdStreams(1, from: address, on: shop.server) {
                    try await Self.holdStreams(1, of: path, from: address, on: shop.server, headers: headers) {
                        try await Self.expectRefusal(of: path, from: address, on: shop.server, headers: headers)
                    }
                }
            }
        }
    }

    @Test("The OpenAPI document describes the 429 of every stream")
    func described() throws {
        let document = try JSON(OpenAPIDocument.read())
        let streams = try #require(document["paths"]?.members).compactMap { $0.value["get"] }.filter {
            $0["responses"]?["200"]?["content"]?["text/event-stream"] != nil
        }
        #expect(streams.count == 4)
        #expect(streams.allSatisfy { $0["responses"]?["429"] != nil })
    }
}
