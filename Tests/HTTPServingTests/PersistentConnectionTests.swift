// Connections over several requests: when they close, pipelining, and `Expect: 100-continue`.

import Support
import Testing

@testable import HTTPServing

@Suite("Persistent connections", .timeLimit(.minutes(10)))
struct PersistentConnectionTests {
    private static let post = MalformedRequestTests.post

    @Test("An HTTP/1.0 request needs no Host, and its connection closes unless it asks for keep-alive")
    func http10() async throws {
        try await withTestBench {
            $0.connection.idleTimeout = .seconds(600)
        } _: { bench in
            for (request, status) in [
                ("GET /v1/query HTTP/1.0\r\nHost: x\r\n\r\n", "200"), ("GET /v1/query HTTP/1.0\r\n\r\n", "200"),
                ("GET /livez HTTP/1.0\r\n\r\n", "200"),
            ] {
                try await bench.server.withRawConnection { connection in
                    try await connection.send(request)
                    #expect(await connection.readToEnd().hasPrefix("HTTP/1.1 \(status) "))
                }
            }
            try await bench.server.withRawConnection { connection in
                for _ in 0..<2 {
                    try await connection.send("GET /v1/query HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\n\r\n")
                    let reply = try await connection.read(until: "}")
                    #expect(reply.contains(" 200 OK") && reply.contains("\r\nConnection: keep-alive\r\n"), "\(reply)")
                }
                // An HTTP/1.0 client does not understand a 100 response.
                try await connection.send("POST /v1/form HTTP/1.0\r\nHost: x\r\nContent-Type: application/json\r\n")
                try await connection.send("Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}")
                #expect(await connection.readToEnd().hasPrefix("HTTP/1.1 200 "))
            }
        }
    }

    @Test("A client with Expect: 100-continue gets 100 in the order of its requests, or 413 if its body is too large")
    func expectations() async throws {
        try await withTestBench { bench in
            try await bench.server.withRawConnection { connection in
                try await connection.send(Self.post + "Expect: 100-continue\r\nContent-Length: 14\r\n\r\n")
                #expect(try await connection.read(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
                try await connection.send(#"{"name":"Ann"}"#)
                #expect(try await connection.read(until: #"{"name":"Ann"}"#).hasPrefix("HTTP/1.1 200 "))
                // This request follows one that has no response yet.
                try await connection.send(
                    "GET /v1/held HTTP/1.1\r\nHost: x\r\n\r\n" + Self.post
                        + "Expect: 100-Continue\r\nTransfer-Encoding: chunked\r\n\r\n")
                await bench.gate.waitForCaller()
                bench.gate.open()
                #expect(try await connection.read(until: #"{"held":false}"#).hasPrefix("HTTP/1.1 200 "))
                #expect(try await connection.read(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
                try await connection.send("2\r\n{}\r\n0\r\n\r\n")
                #expect(try await connection.read(until: #"{"name":null}"#).hasPrefix("HTTP/1.1 200 "))
                // The client may send the body without waiting.
                try await connection.send(Self.post + "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}")
                #expect(try await connection.read(until: #"{"name":null}"#).contains("HTTP/1.1 200 "))
                try await connection.send(Self.post + "Expect: 100-continue\r\nContent-Length: 99999999\r\n\r\n")
                #expect(try await connection.read(until: "}").hasPrefix("HTTP/1.1 413 "))
            }
        }
    }

    @Test("Expect: 100-continue returns 100 for every method with a body, and is ignored without a body")
    func expectationsOfAllMethods() async throws {
        try await withTestBench { bench in
            for method in ["POST", "PUT", "PATCH", "DELETE", "GET"] {
                try await bench.server.withRawConnection { connection in
                    for framing in ["Content-Length: 2", "Transfer-Encoding: chunked"] {
                        try await connection.send(
                            "\(method) /v1/nothing HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n\(framing)\r\n\r\n")
                        #expect(
                            try await connection.read(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n",
                            "\(method) \(framing)")
                        try await connection.send(framing.hasPrefix("C") ? "{}" : "2\r\n{}\r\n0\r\n\r\n")
                        #expect(try await connection.read(until: "}").hasPrefix("HTTP/1.1 404 "))
                    }
                    for framing in ["", "Content-Length: 0\r\n"] {
                        try await connection.send(
                            "\(method) /v1/nothing HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n\(framing)\r\n")
                        #expect(
                            try await connection.read(until: "}").hasPrefix("HTTP/1.1 404 "), "\(method) \(framing)")
                    }
                }
            }
        }
    }

    @Test("Pipelined requests are answered in order, also after the client has half-closed the connection")
    func pipelined() async throws {
        try await withTestBench { bench in
            try await bench.server.withRawConnection { connection in
                let paths = (0..<20).map { "/v1/things/\($0)/parts/\($0)" }
                try await connection.send(paths.map { "GET \($0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined())
                connection.finishSending()
                let reply = await connection.readToEnd()
                let order = reply.split(separator: "\"thing\":\"").dropFirst().compactMap {
                    Int($0.prefix { $0 != "\"" })
                }
                #expect(order == Array(0..<20))
            }
        }
    }

    @Test("A client that half-closes the connection still receives a large response completely")
    func halfClosed() async throws {
        try await withTestBench { bench in
            try await bench.server.withRawConnection(receiveBuffer: 64 * 1024) { connection in
                try await connection.send("GET /v1/huge HTTP/1.1\r\nHost: x\r\n\r\n")
                connection.finishSending()
                #expect(try await connection.read(until: "\r\n\r\n").contains("Content-Length: 8388608\r\n"))
                #expect(await connection.readToEnd().utf8.count == 8_388_608)
            }
        }
    }

    @Test("Invalid bytes after a complete request do not prevent its response, and then the connection closes")
    func invalidBytesAfterRequest() async throws {
        try await withTestBench { bench in
            for junk in [
                "\u{0}", "hello\r\n\r\n", "GET /\(String(repeating: "a", count: 20_000)) HTTP/1.1\r\nHost: x\r\n\r\n",
            ] {
                try await bench.server.withRawConnection { connection in
                    try await connection.send(Self.post + "Content-Length: 14\r\n\r\n{\"name\":\"Ann\"}" + junk)
                    let reply = await connection.readToEnd()
                    #expect(
                        reply.hasPrefix("HTTP/1.1 200 ") && reply.hasSuffix(#"{"name":"Ann"}"#), "\(reply.suffix(300))")
                }
            }
        }
    }

    @Test(
        "After an HTTP/1.0 request or Connection: close the response is sent and no further request is read",
        arguments: [
            "GET /livez HTTP/1.0\r\n\r\n", "GET /livez HTTP/1.0\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
            "GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close, Upgrade\r\nUpgrade: h2c\r\n\r\n",
            // Parsers may differ in whether these requests ask for another protocol.
            "GET /livez HTTP/1.1\r\nHost: x\r\nConnection: upgrade\t, x\r\nUpgrade: h2c\r\n\r\n",
            "GET /livez HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade:\r\n\r\n",
            "GET /livez HTTP/1.1\r\nHost: x\r\nConnection: TE, Close\r\n\r\n",
        ])
    func lastRequest(_ request: String) async throws {
        try await withTestBench { bench in
            try await bench.server.withRawConnection { connection in
                try await connection.send(request)
                let reply = await connection.readToEnd()
                #expect(reply.hasPrefix("HTTP/1.1 200 ") && reply.contains("Connection: close\r\n"), "\(reply)")
            }
        }
        // A client that keeps sending is not read, and is disconnected as idle at last.
        try await withTestBench {
            $0.connection.idleTimeout = .seconds(1)
        } _: { bench in
            try await bench.server.withRawConnection { connection in
                try await connection.send(request)
                let junk = String(repeating: "x", count: 1 << 20)
                while (try? await connection.send(junk)) != nil {}
            }
        }
    }

    @Test(
        "A request to upgrade the protocol is answered in HTTP/1.1, and the connection stays open",
        arguments: [
            "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n",
            "Upgrade: websocket\r\nConnection: keep-alive, UPGRADE \r\n", "Upgrade: h2c\r\n",
            "Upgrade: h2c\r\nConnection: upgraded\r\n",
            "Proxy-Connection: upgrade\r\nUpgrade: h2c\r\n", "Connection: upgrade\r\n",
            "Connection: a\r\nConnection: Upgrade\r\nUpgrade: x, y\r\n",
        ])
    func upgrade(_ fields: String) async throws {
        let requests = [
            "GET /v1/query?q=1 HTTP/1.1\r\nHost: x\r\n\(fields)\r\n",
            Self.post + "\(fields)Content-Length: 14\r\n\r\n{\"name\":\"Ann\"}",
            Self.post + "\(fields)Transfer-Encoding: chunked\r\n\r\n6\r\n{\"name\r\n8\r\n\":\"Bob\"}\r\n0\r\n\r\n",
            "GET /v1/query?q=2 HTTP/1.1\r\nHost: x\r\n\(fields)\r\n", "GET /v1/query?q=3 HTTP/1.1\r\nHost: x\r\n\r\n",
        ]
        let bodies = [#"{"q":"1"}"#, #"{"name":"Ann"}"#, #"{"name":"Bob"}"#, #"{"q":"2"}"#, #"{"q":"3"}"#]
        try await withTestBench { bench in
            try await bench.server.withRawConnection { connection in
                for (request, body) in zip(requests, bodies) {
                    try await connection.send(request)
                    let reply = try await connection.read(until: body)
                    #expect(reply.hasPrefix("HTTP/1.1 200 ") && !reply.contains("Connection:"), "\(reply)")
                }
                // All requests at once, cut at any byte.
                let all = requests.joined()
                for cut in [0] + (1..<all.utf8.count / 23).map({ $0 * 23 }) {
                    if cut > 0 {
                        try await connection.send(String(all.prefix(cut)))
                        try await Task.sleep(for: .milliseconds(2))
                    }
                    try await connection.send(String(all.dropFirst(cut)))
                    for body in bodies { _ = try await connection.read(until: body) }
                }
            }
        }
    }

    @Test("A stream for an HTTP/1.0 client with keep-alive has Connection: close")
    func streamWithKeepAlive() async throws {
        try await withTestBench { bench in
            try await bench.server.withRawConnection { connection in
                try await connection.send("GET /v1/events HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\n\r\n")
                let head = try await connection.read(until: "\r\n\r\n").lowercased()
                #expect(head.contains("\r\nconnection: close\r\n") && !head.contains("keep-alive"), "\(head)")
            }
        }
    }

    @Test("A stream for HTTP/1.0 is not chunked, and HEAD of a stream has neither a length nor a body")
    func http10Stream() async throws {
        try await withTestBench { bench in
            try await bench.server.withRawConnection { connection in
                try await connection.send("GET /v1/events HTTP/1.0\r\nHost: x\r\n\r\n")
                let head = try await connection.read(until: "\r\n\r\n")
                #expect(head.hasPrefix("HTTP/1.0 200 ") && !head.lowercased().contains("chunked"), "\(head)")
                #expect(try await connection.readRetry() != nil)
            }
            try await bench.server.withRawConnection { connection in
                try await connection.send("HEAD /v1/events HTTP/1.1\r\nHost: x\r\n\r\n")
                let reply = await connection.readToEnd()
                #expect(
                    reply.hasPrefix("HTTP/1.1 200 ") && reply.hasSuffix("\r\n\r\n")
                        && !reply.contains("Content-Length"), "\(reply)")
            }
        }
    }
}
