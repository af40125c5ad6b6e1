// Incomplete requests and bytes that are not HTTP: each is answered with a problem if possible, and always ended.

import Support
import Testing

@testable import HTTPServing

@Suite("Malformed requests", .timeLimit(.minutes(10)))
struct MalformedRequestTests {
    static let post = "POST /v1/form HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"

    @Test("A body that arrives one byte at a time returns 408, and the connection is closed")
    func trickle() async throws {
        try await withTestBench {
            $0.connection.progressWindow = .milliseconds(300)
            $0.connection.idleTimeout = .seconds(30)
        } _: { bench in
            try await bench.server.withRawConnection { connection in
                try await connection.send(Self.post + "Content-Length: 1000\r\n\r\n")
                let sender = connection.sender
                async let trickle: Void = {
                    // Ends when the server closes the connection. Each byte would restart an idle timeout.
                    while (try? await sender.send(" ")) != nil { try? await Task.sleep(for: .milliseconds(20)) }
                }()
                let reply = await connection.readToEnd()
                connection.finishSending()
                _ = await trickle
                #expect(reply.hasPrefix("HTTP/1.1 408 ") && reply.contains("request_timeout"), "\(reply)")
                #expect(
                    reply.lowercased().contains("connection: close") && reply.lowercased().contains("x-request-id: "))
            }
        }
    }

    @Test(
        "A head that arrives one byte at a time returns 408, in the first and in a later request",
        arguments: ["", "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n"])
    func tricklingHead(_ before: String) async throws {
        try await withTestBench {
            $0.connection.requestDeadline = .milliseconds(300)
            $0.connection.idleTimeout = .seconds(30)
        } _: { bench in
            try await bench.server.withRawConnection { connection in
                if !before.isEmpty {
                    try await connection.send(before)
                    #expect(try await connection.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
                    _ = try await connection.read(until: "}")
                }
                try await connection.send("GET /livez HTTP/1.1\r\nHost: x\r\nName: ")
                let sender = connection.sender
                async let trickle: Void = {
                    while (try? await sender.send("x")) != nil { try? await Task.sleep(for: .milliseconds(20)) }
                }()
                let reply = await connection.readToEnd()
                connection.finishSending()
                _ = await trickle
                #expect(reply.hasPrefix("HTTP/1.1 408 ") && reply.contains("request_timeout"), "\(reply)")
            }
        }
    }

    @Test(
        "A client that does not read its responses is disconnected after the progress deadline",
        arguments: ["/v1/things/first", "/v1/large"])
    func neverReads(_ path: String) async throws {
        try await withTestBench {
            $0.connection.progressWindow = .milliseconds(300)
            $0.connection.idleTimeout = .seconds(600)
        } _: { bench in
            try await bench.server.withRawConnection { connection in
                let requests = String(repeating: "GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n", count: 100)
                // Ends when the server closes the connection. Until then the client fills the buffers and blocks.
                while (try? await connection.send(requests)) != nil {}
            }
        }
    }

    @Test("A body that arrives in pieces before the deadline is accepted, and so is the next request")
    func pieces() async throws {
        try await withTestBench { bench in
            try await bench.server.withRawConnection { connection in
                try await connection.send(Self.post + "Content-Length: 14\r\n\r\n{\"na")
                try await connection.send("me\":\"A")
                try await connection.send(
                    "nn\"}" + Self.post + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n")
                #expect(try await connection.read(until: #"{"name":"Ann"}"#).contains("200 OK"))
                #expect(try await connection.read(until: #"{"name":null}"#).contains("200 OK"))
            }
        }
    }

    @Test(
        "A connection with half a head or no data is closed after the idle timeout",
        arguments: ["", "GET /livez HTTP/1.1\r\nHost"])
    func halfHead(_ text: String) async throws {
        try await withTestBench {
            $0.connection.idleTimeout = .milliseconds(200)
        } _: { bench in
            try await bench.server.withRawConnection { connection in
                if !text.isEmpty { try await connection.send(text) }
                #expect(await connection.readToEnd().isEmpty)
            }
        }
    }

    @Test(
        "Bytes that are not HTTP return a 400 problem, and the connection is closed",
        arguments: [
            "hello\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET /livez HTTP/1.1\r\nBad Header: x\r\n\r\n",
            "GET /livez HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}",
            "POST /v1/form HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
            "POST /v1/form HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
            "POST /v1/form HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                + "Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        ])
    func noHTTP(_ text: String) async throws {
        try await withTestBench { bench in
            try await bench.server.withRawConnection { connection in
                try await connection.send(text)
                let reply = await connection.readToEnd()
                #expect(
                    reply.hasPrefix("HTTP/1.1 400 ") && reply.contains("\"code\":\"malformed_request\""), "\(reply)")
                #expect(reply.contains("application/problem+json"))
            }
            #expect(try await bench.server.get("/livez").status == 200)
        }
    }

    @Test(
        "A head that another server could interpret differently returns a 400 problem",
        arguments: [
            "GET /v1/query HTTP/1.1\r\n\r\n", "GET /v1/query HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
            "GET /livez HTTP/1.1\r\n\r\n", "GET /nowhere HTTP/1.1\r\n\r\n",
            "GET /livez HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n",
            "GET /livez HTTP/1.1\r\nHost:\r\n\r\n", "GET /livez HTTP/1.1\r\nHost: a b\r\n\r\n",
            "GET /livez HTTP/1.1\r\nHost: a, a\r\n\r\n",
            "GET /livez HTTP/1.1\r\nHost: a/b\r\n\r\n", "GET /livez HTTP/1.1\r\nHost: u@a\r\n\r\n",
            "GET /livez HTTP/1.1\r\nHost: :80\r\n\r\n",
            "GET /livez HTTP/1.1\r\nHost: a:b\r\n\r\n", "GET /livez HTTP/1.1\r\nHost: a:65536\r\n\r\n",
            "GET /livez HTTP/1.1\r\nHost: a:+80\r\n\r\n",
            "GET /livez HTTP/1.1\r\nHost: [::1\r\n\r\n", "GET /livez HTTP/1.1\r\nHost: [::1]x\r\n\r\n",
            "GET /livez HTTP/1.1\r\nHost: ::1\r\n\r\n",
            "GET /livez HTTP/1.1\r\nHost: []\r\n\r\n", "GET /livez HTTP/1.1\r\nHost: a%2\r\n\r\n",
            "GET /livez HTTP/1.1\r\nHost: \u{E9}\r\n\r\n",
            "GET http://a/livez HTTP/1.1\r\n\r\n",
            "GET /livez HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", "GET /livez HTTP/1.1\r\nHost : a\r\n\r\n",
            "GET /livez HTTP/1.1\r\nHost: a\r\nX: a\u{0}b\r\n\r\n", "GET /livez HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n",
            "GET /livez HTTP/1.1\r\nHost: a\r\n X: folded\r\n\r\n", "GET /li\u{1B}vez HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /livez HTTP/1.1 \r\nHost: a\r\n\r\n",
            "G\u{E9}T /livez HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /livez HTTP/1.1\r\nHost: a\r\nContent-Length: 1e3\r\n\r\n",
            "GET /livez HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\n",
            "GET /livez HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n",
            post + "Transfer-Encoding: chunked, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
            post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
            post.replacing("1.1", with: "1.0") + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
            post + "Transfer-Encoding: gzip\r\n\r\n{}",
            post + "Transfer-Encoding: chunked, gzip\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
            post + "Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n",
            post + "Transfer-Encoding: chunked\r\n\r\n0x2\r\n{}\r\n0\r\n\r\n",
            post + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}\r\n0\r\n\r\n",
            post + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}x\r\n0\r\n\r\n",
            post + "Transfer-Encoding: chunked\r\n\r\n2;\u{0}\r\n{}\r\n0\r\n\r\n",
        ])
    func ambiguous(_ text: String) async throws {
        try await withTestBench { bench in
            try await bench.server.withRawConnection { connection in
                try await connection.send(text)
                connection.finishSending()
                let reply = await connection.readToEnd()
                #expect(reply.hasPrefix("HTTP/1.1 400 ") && reply.contains("application/problem+json"), "\(reply)")
            }
            #expect(try await bench.server.get("/livez").status == 200)
        }
    }

    @Test(
        "A request smuggled in a body is never answered, and the outer request returns 400",
        arguments: [
            "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
            "Content-Length: 2\r\nContent-Length: 0\r\n\r\n{}", "Content-Length: 2, 0\r\n\r\n{}",
            "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
            "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
            "Transfer-Encoding: x\r\nContent-Length: 2\r\n\r\n{}",
            "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n", "Transfer-Encoding:\u{B}chunked\r\n\r\n0\r\n\r\n",
            "X: y\rTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        ])
    func smuggling(_ text: String) async throws {
        try await withTestBench { bench in
            try await bench.server.withRawConnection { connection in
                try await connection.send(Self.post + text + "GET /v1/things/first HTTP/1.1\r\nHost: x\r\n\r\n")
                connection.finishSending()
                let reply = await connection.readToEnd()
                #expect(reply.hasPrefix("HTTP/1.1 400 ") && !reply.contains("literal"), "\(reply)")
                #expect(!reply.contains("HTTP/1.1 2"), "\(reply)")
            }
        }
    }

    @Test(
        "An unknown transfer coding returns 501, the connection is closed, and later bytes are not parsed",
        arguments: [
            "gzip, chunked", "GZIP , chunked", "identity, chunked", "x-unknown,chunked", "deflate, gzip, chunked",
            "gzip\r\nTransfer-Encoding: chunked",
        ])
    func transferCoding(_ codings: String) async throws {
        try await withTestBench { bench in
            try await bench.server.withRawConnection { connection in
                let body = "\r\n\r\n2\r\n{}\r\n0\r\n\r\nGET /v1/things/first HTTP/1.1\r\nHost: x\r\n\r\n"
                try await connection.send(Self.post + "Transfer-Encoding: \(codings)" + body)
                let reply = await connection.readToEnd()
                #expect(
                    reply.hasPrefix("HTTP/1.1 501 ") && reply.contains("\"code\":\"unknown_transfer_coding\""),
                    "\(reply)")
                #expect(reply.lowercased().contains("connection: close") && !reply.contains("literal"), "\(reply)")
            }
            try await bench.server.withRawConnection { connection in
                try await connection.send(
                    Self.post + "Connection: close\r\nTransfer-Encoding: Chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n")
                #expect(await connection.readToEnd().hasPrefix("HTTP/1.1 200 "))
            }
        }
    }

    @Test(
        "A valid Host header is accepted in every form",
        arguments: [
            "a", "A.example", "a:80", "a:", "127.0.0.1:8080", "[::1]:80", "[::ffff:192.0.2.1]", "xn--bcher-kva.example",
            "a_b", "a%2Db",
            "1",
        ])
    func host(_ host: String) async throws {
        try await withTestBench { bench in
            try await bench.server.withRawConnection { connection in
                try await connection.send("GET /livez HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
                #expect(await connection.readToEnd().hasPrefix("HTTP/1.1 200 "))
            }
        }
    }

    @Test("An unknown method returns a 4xx problem")
    func unknownMethod() async throws {
        try await withTestBench { bench in
            for method in ["FOO", "get", "G3T", String(repeating: "A", count: 5_000), "PRI", "TRACE", "CONNECT"] {
                try await bench.server.withRawConnection { connection in
                    try await connection.send("\(method) /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                    let reply = await connection.readToEnd()
                    #expect(
                        reply.hasPrefix("HTTP/1.1 40") && reply.contains("application/problem+json"),
                        "\(method): \(reply)")
                }
            }
        }
    }

    @Test("Chunk extensions and trailers are ignored, and a flood of them is rejected")
    func chunkExtensions() async throws {
        try await withTestBench { bench in
            try await bench.server.withRawConnection { connection in
                let head = Self.post + "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
                try await connection.send(head + "2;name=\"va;lue\";x\r\n{}\r\n0;last\r\nTrailer: x\r\n\r\n")
                #expect(await connection.readToEnd().hasPrefix("HTTP/1.1 200 "))
            }
            for flood in [
                "2;" + String(repeating: "a=b;", count: 50_000) + "\r\n{}\r\n0\r\n\r\n",
                "0\r\n" + (0..<5_000).map { "X\($0): y\r\n" }.joined() + "\r\n",
            ] {
                try await bench.server.withRawConnection { connection in
                    let sender = connection.sender
                    let head = Self.post + "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
                    // The server may close the connection before all bytes are sent.
                    async let sending: Void? = try? await sender.send(head + flood)
                    let reply = await connection.readToEnd()
                    _ = await sending
                    #expect(
                        reply.isEmpty || reply.hasPrefix("HTTP/1.1 4") || reply.hasPrefix("HTTP/1.1 200 "),
                        "\(reply.prefix(200))")
                }
            }
            #expect(try await bench.server.get("/livez").status == 200)
        }
    }

    @Test(
        "An unusual request target returns a response and causes no trap",
        arguments: [
            "*", "http://", "http://x", "http://x:", "http://x:/", "http://x:99999/livez", "http://x?", "http://[::1",
            "://", "?", "/?",
            "/#", "/%",
            "/v1/query?%", "/v1/query?=", "/v1/query?&=&", "/\u{E9}\u{1F354}", "/v1/things/%00/parts/%",
            "http://x:80?q#f", "a:b", "/\\",
            "/..;/livez",
        ])
    func target(_ target: String) async throws {
        try await withTestBench { bench in
            try await bench.server.withRawConnection { connection in
                try await connection.send("GET \(target) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                #expect(await connection.readToEnd().hasPrefix("HTTP/1.1 "))
            }
            #expect(try await bench.server.get("/livez").status == 200)
        }
    }

    @Test("Headers beyond the limit return 431, in one header, in many, or in the path")
    func headers() async throws {
        let long = String(repeating: "a", count: 20_000)
        try await withTestBench { bench in
            for head in [
                "GET /livez HTTP/1.1\r\nHost: x\r\nX: \(long)\r\n\r\n",
                "GET /livez HTTP/1.1\r\nHost: x\r\n" + (0..<300).map { "X\($0): y\r\n" }.joined() + "\r\n",
                "GET /\(long) HTTP/1.1\r\nHost: x\r\n\r\n",
            ] {
                try await bench.server.withRawConnection { connection in
                    try await connection.send(head)
                    let reply = await connection.readToEnd()
                    #expect(
                        reply.hasPrefix("HTTP/1.1 431 ") && reply.contains("headers_too_large"), "\(reply.prefix(200))")
                }
            }
        }
    }

    private static let chunked = post + "Transfer-Encoding: chunked\r\n\r\n"

    @Test("256 header fields are accepted and 257 return 431, and trailers count as headers")
    func headerCount() async throws {
        @Sendable func fields(_ count: Int) -> String { (0..<count).map { "X\($0): y\r\n" }.joined() + "\r\n" }
        try await withTestBench { bench in
            for (request, status) in [
                ("GET /v1/query HTTP/1.1\r\nHost: x\r\n" + fields(255), 200),
                ("GET /v1/query HTTP/1.1\r\nHost: x\r\n" + fields(256), 431),
                (Self.chunked + "2\r\n{}\r\n0\r\n" + fields(253), 200),
                (Self.chunked + "2\r\n{}\r\n0\r\n" + fields(254), 431),
            ] {
                try await bench.server.withRawConnection { connection in
                    try await connection.send(request)
                    #expect(try await connection.read(until: "}").hasPrefix("HTTP/1.1 \(status) "), "\(status)")
                }
            }
        }
    }

    @Test(
        "Framing bytes outside head and body are limited like a head and return 431",
        arguments: [
            ("a chunk extension", chunked + "2;x=", String(repeating: "a", count: 1024)),
            ("many chunk extensions", chunked, "1;" + String(repeating: "a", count: 1000) + "\r\n \r\n"),
            ("zeros before a chunk's size", chunked, String(repeating: "0", count: 1024)),
            ("a trailer", chunked + "2\r\n{}\r\n0\r\nX: ", String(repeating: "a", count: 1024)),
            ("white space in a trailer", chunked + "2\r\n{}\r\n0\r\nX:", String(repeating: " ", count: 1024)),
            ("white space in a header", "GET /livez HTTP/1.1\r\nHost: x\r\nX:", String(repeating: " ", count: 1024)),
            ("empty lines", "", String(repeating: "\r\n", count: 512)),
        ])
    func framing(_ name: String, _ before: String, _ filler: String) async throws {
        try await withTestBench { bench in
            try await bench.server.withRawConnection { connection in
                if !before.isEmpty { try await connection.send(before) }
                let sender = connection.sender
                async let filling: Void = { for _ in 0..<64 { try? await sender.send(filler) } }()
                let reply = await connection.readToEnd()
                connection.finishSending()
                _ = await filling
                #expect(
                    reply.hasPrefix("HTTP/1.1 431 ") && reply.contains("headers_too_large"),
                    "\(name): \(reply.prefix(200))")
            }
            #expect(try await bench.server.get("/livez").status == 200)
        }
    }

    @Test("Bodies in chunks of one byte, with extensions and trailers within the limits, are accepted")
    func chunks() async throws {
        try await withTestBench { bench in
            try await bench.server.withRawConnection { connection in
                let name = String(repeating: "a", count: 20_000)
                let body = #"{"name":"\#(name)"}"#
                for chunk in [{ "1\r\n\($0)\r\n" }, { "1;a=b\r\n\($0)\r\n" }, { "0000000000000001\r\n\($0)\r\n" }]
                    as [(Character) -> String]
                {
                    try await connection.send(Self.chunked + body.map(chunk).joined() + "0\r\n\r\n")
                    #expect(try await connection.read(until: "}").hasPrefix("HTTP/1.1 200 "))
                }
                let (extended, trailer) = (String(repeating: "x", count: 10_000), String(repeating: "y", count: 5_000))
                try await connection.send(Self.chunked + "2;\(extended)\r\n{}\r\n0\r\nX: \(trailer)\r\n\r\n")
                #expect(try await connection.read(until: "}").hasPrefix("HTTP/1.1 200 "))
            }
        }
    }

    @Test("A client that disconnects in the middle of a body does not disturb the server")
    func disconnectsInBody() async throws {
        try await withTestBench { bench in
            try await bench.server.withRawConnection { connection in
                try await connection.send(Self.post + "Content-Length: 1000\r\n\r\n{}")
            }
            try await bench.server.withRawConnection { connection in
                // The bytes so far are a complete JSON object, but the body is incomplete and must be rejected.
                try await connection.send(Self.post + "Content-Length: 1000\r\n\r\n{}")
                connection.finishSending()
                #expect(!(await connection.readToEnd()).contains("200 OK"))
            }
            #expect(try await bench.server.get("/livez").status == 200)
        }
    }

    @Test("An incomplete request does not delay the shutdown")
    func shutdown() async throws {
        let start = ContinuousClock.now
        try await withTestBench { bench in
            try await bench.server.withRawConnection { connection in
                // The request is in flight: its handler awaits the rest of the body.
                try await connection.send(
                    "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n" + Self.post + "Content-Length: 1000\r\n\r\n{")
                _ = try await connection.read(until: "}")
                await bench.server.shutDown()
                #expect(await connection.readToEnd().contains("408 "))
            }
        }
        #expect(ContinuousClock.now - start < .seconds(8))
    }
}
