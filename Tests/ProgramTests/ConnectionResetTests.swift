// Clients that reset their connection before the server accepts it. The server process is paused meanwhile.

import Foundation
import Support
import Testing

@Suite("Connections that are reset before they are accepted")
struct ConnectionResetTests {
    @Test("A connection that is reset before it is accepted has no client address, and its request gets 429")
    func withoutAddress() async throws {
        try await TestDatabase.with(.seeded) { database in
            let port = try Program.freePort()
            let arguments = database.serveArguments + ["--port", "\(port)", "--rate-limit-baskets", "3"]
            try await Program.serve(arguments) { server in
                try await TestServer.connect(port: port) { client in
                    try await eventually("the server is ready") { try await client.get("/readyz").status == 200 }
                    try await whileSuspended([server.processID]) {
                        for _ in 0..<20 { try sendAndReset(port) }
                    }
                    try await eventually("all requests are answered") {
                        try await client.get("/metrics").text.contains(
                            #"welms_http_requests_total{method="POST",route="/v1/baskets",status="429"} 20"#)
                    }
                    #expect(try await database.psql("select count(*) from baskets") == "0")
                    #expect(
                        try await client.send("POST", "/v1/baskets").header("RateLimit")?.contains("r=2") == true,
                        "no client's limit was used")
                }
            }
        }
    }

    /// Sends a request for a basket and resets the connection.
    private func sendAndReset(_ port: Int) throws {
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(client) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        try #require(isConnected)
        let request = Array("POST /v1/baskets HTTP/1.1\r\nHost: x\r\n\r\n".utf8)
        try #require(write(client, request, request.count) == request.count)
        // With a linger time of 0, close sends a reset.
        var noLinger = linger(l_onoff: 1, l_linger: 0)
        try #require(setsockopt(client, SOL_SOCKET, SO_LINGER, &noLinger, socklen_t(MemoryLayout<linger>.size)) == 0)
    }
}
