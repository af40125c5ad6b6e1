// Tests the connection limits and the reserve for health checks.
import Support
import Testing

@testable import HTTPServing

@Suite("Connection limits", .timeLimit(.minutes(2)))
struct ConnectionLimitTests {
    private static func request(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n" }

    /// Runs a server without short timeouts, because on a busy machine seconds may pass between two steps of a test.
    private static func withLimits(
        _ configure: (inout HTTPServerConfiguration) -> Void, _ body: @Sendable (TestBench) async throws -> Void
    ) async throws {
        try await withTestBench {
            $0.connection.idleTimeout = .seconds(600)
            $0.connection.healthCheckDeadline = .seconds(600)
            configure(&$0)
        } _: { bench in
            try await body(bench)
        }
    }

    /// Holds `count` connections of an address open, after the server has responded on each.
    private static func holdConnections(
        _ count: Int, of address: String, on server: TestServer, path: String = "/livez",
        _ body: () async throws -> Void
    ) async throws {
        guard count > 0 else { return try await body() }
        try await server.withRawConnection(from: address) { connection in
            try await connection.send(request(path))
            #expect(try await connection.read(until: "}").hasPrefix("HTTP/1.1 200 "))
            try await holdConnections(count - 1, of: address, on: server, path: path, body)
        }
    }

    /// Holds `count` connections open that send nothing. The closure runs when all are open.
    private static func holdIdleConnections(
        _ count: Int, of address: String, on server: TestServer,
        _ body: () async throws -> Void
    ) async throws {
        guard count > 0 else { return try await body() }
        try await server.withRawConnection(from: address) { _ in
            try await holdIdleConnections(count - 1, of: address, on: server, body)
        }
    }

    /// The whole response to one request on its own connection, which the server must close.
    private static func answer(_ path: String, to address: String, by server: TestServer) async throws -> String {
        try await server.withRawConnection(from: address) { connection in
            try await connection.send(request(path))
            return await connection.readToEnd()
        }
    }

    private static func expectHealth(
        _ path: String = "/livez", to address: String, by server: TestServer
    ) async throws {
        let reply = try await answer(path, to: address, by: server)
        expectHealth(reply)
    }

    private static func expectHealth(_ answer: String) {
        #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.contains("Connection: close\r\n"), "\(answer)")
    }

    private static func expectRefusal(_ path: String, to address: String, by server: TestServer) async throws {
        let reply = try await answer(path, to: address, by: server)
        #expect(reply.hasPrefix("HTTP/1.1 503 ") && reply.contains("\"code\":\"overloaded\""), "\(reply)")
        #expect(reply.contains("Retry-After: 5\r\n") && reply.contains("Connection: close\r\n"), "\(reply)")
    }

    @Test("A client at its connection limit can only make health checks, and other clients are served")
    func perClient() async throws {
        try await Self.withLimits {
            $0.maxConnectionsPerClient = 3
        } _: { bench in
            let server = bench.server
            try await Self.holdConnections(3, of: "127.0.0.2", on: server) {
                try await Self.expectRefusal("/v1/things/first", to: "127.0.0.2", by: server)
                try await Self.expectRefusal("/nowhere", to: "127.0.0.2", by: server)
                try await Self.expectHealth(to: "127.0.0.2", by: server)
                try await Self.holdConnections(3, of: "127.0.0.3", on: server, path: "/v1/things/first") {}
            }
            try await eventually("the client's connections are closed") {
                try await server.withRawConnection(from: "127.0.0.2") { connection in
                    try await connection.send(Self.request("/v1/things/first"))
                    return try await connection.read(until: "}").hasPrefix("HTTP/1.1 200 ")
                }
            }
        }
    }

    @Test("When all connections are in use, health checks are answered and all other requests return 503")
    func total() async throws {
        try await Self.withLimits {
            $0.maxConnections = 3
        } _: { bench in
            let server = bench.server
            try await Self.holdConnections(2, of: "127.0.0.2", on: server) {
                try await Self.holdConnections(1, of: "127.0.0.3", on: server) {
                    for _ in 0..<20 {
                        try await Self.expectRefusal("/v1/things/first", to: "127.0.0.4", by: server)
                        try await Self.expectHealth(to: "127.0.0.4", by: server)
                    }
                }
            }
        }
    }

    @Test("One client cannot fill the reserve, and many clients cannot keep a new health check out of it")
    func reserve() async throws {
        try await Self.withLimits {
            $0.maxConnections = 1
            $0.reservedConnections = 8
        } _: { bench in
            let server = bench.server
            try await Self.holdConnections(1, of: "127.0.0.2", on: server) {
                try await server.withRawConnection(from: "127.0.0.3") { probe in
                    try await server.withRawConnection(from: "127.0.0.2") { oldest in
                        try await Self.holdIdleConnections(20, of: "127.0.0.2", on: server) {
                            #expect(
                                await oldest.readToEnd() == "", "newer connections of the same client close the oldest")
                            try await probe.send(Self.request("/livez"))
                            Self.expectHealth(await probe.readToEnd())
                        }
                    }
                }
                try await Self.holdIdleConnections(4, of: "127.0.0.4", on: server) {
                    try await Self.holdIdleConnections(4, of: "127.0.0.5", on: server) {
                        try await Self.holdIdleConnections(4, of: "127.0.0.6", on: server) {
                            try await Self.holdIdleConnections(4, of: "127.0.0.7", on: server) {
                                try await Self.holdIdleConnections(4, of: "127.0.0.8", on: server) {
                                    try await Self.expectHealth(to: "127.0.0.9", by: server)
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    @Test("Connections of a trusted proxy do not count towards the proxy's address")
    func trustedProxy() async throws {
        for (proxies, isServed) in [("127.0.0.2", true), ("127.0.0.3", false)] {
            try await Self.withLimits {
                $0.maxConnectionsPerClient = 1
                if let proxies = TrustedProxies(proxies) { $0.trustedProxies = proxies }
            } _: { bench in
                try await Self.holdConnections(1, of: "127.0.0.2", on: bench.server) {
                    try await bench.server.withRawConnection(from: "127.0.0.2") { connection in
                        try await connection.send(Self.request("/v1/things/first"))
                        let answer = try await connection.read(until: "}")
                        #expect(answer.hasPrefix(isServed ? "HTTP/1.1 200 " : "HTTP/1.1 503 "))
                    }
                }
            }
        }
    }
}
