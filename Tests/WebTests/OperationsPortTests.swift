// Tests that the operations port has connection limits of its own.
import Support
import Testing
import Web

@Suite("Connections of the operations port", .timeLimit(.minutes(2)))
struct OperationsPortTests {
    private static let client = "127.0.0.2"

    private static func request(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n" }

    /// Holds connections of one client open: `used` that have a response, and `idle` that send nothing.
    private static func holdConnections(
        used: Int, idle: Int, on server: TestServer, _ body: () async throws -> Void
    ) async throws {
        guard used + idle > 0 else { return try await body() }
        try await server.withRawConnection(from: client) { connection in
            if used > 0 {
                try await connection.send(request("/livez"))
                #expect(try await connection.read(until: "}").hasPrefix("HTTP/1.1 200 "))
                try await holdConnections(used: used - 1, idle: idle, on: server, body)
            } else {
                try await holdConnections(used: 0, idle: idle - 1, on: server, body)
            }
        }
    }

    @Test("The operations port responds when one client has used all of its connections")
    func operationsPort() async throws {
        let port = try Program.freePort()
        var configuration = WebConfiguration(port: 0)
        configuration.operationsPort = port
        try await TestShop.run(configuration: configuration) { _ in
            try await TestServer.connect(port: port) { operations in
                try await eventually("the port listens") { (try? await operations.get("/livez").status) == 200 }
                try await Self.holdConnections(used: 63, idle: 10, on: operations) {
                    for path in ["/livez", "/metrics"] {
                        let reply = try await operations.withRawConnection(from: Self.client) { connection in
                            try await connection.send(Self.request(path))
                            return await connection.readToEnd()
                        }
                        #expect(
                            reply.hasPrefix("HTTP/1.1 200 ") && reply.contains("Connection: close\r\n"), "\(reply)")
                    }
                }
            }
        }
    }
}
