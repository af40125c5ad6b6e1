// Tests the conventions that every route follows, over a real socket.

import Foundation
import Support
import Testing
import Wire

@testable import Web

@Suite("The conventions of every route", .timeLimit(.minutes(10)))
struct ConventionTests {
    func problem(_ reply: TestServer.Reply, _ status: Int, _ code: String) throws -> ProblemBody {
        #expect(reply.status == status)
        #expect(reply.header("Content-Type") == "application/problem+json")
        let body = try JSONDecoder().decode(ProblemBody.self, from: Data(reply.body))
        #expect(body.status == status)
        #expect(body.code == code)
        #expect(body.type == "urn:welms:problem:\(code)")
        #expect(!body.title.isEmpty && !body.detail.isEmpty)
        #expect(body.requestId == reply.header("X-Request-Id"))
        return body
    }

    @Test("Every response has a request id of its own and the security headers")
    func headers() async throws {
        try await withTestBench { bench in
            let first = try await bench.server.get("/livez")
            let second = try await bench.server.get("/livez")
            #expect(first.header("X-Request-Id")?.count == 16)
            #expect(first.header("X-Request-Id") != second.header("X-Request-Id"))
            #expect(first.header("X-Content-Type-Options") == "nosniff")
            #expect(first.header("Cache-Control") == "no-store")
            #expect(first.header("Content-Security-Policy")?.contains("default-src 'none'") == true)
            #expect(first.header("Server") == nil)
        }
    }

    @Test("Literal path segments precede parameters, and handlers receive parameters, status and Location unchanged")
    func routing() async throws {
        try await withTestBench { bench in
            #expect(try await bench.server.get("/v1/things/a%20b/parts/7").text == #"{"part":"7","thing":"a%20b"}"#)
            #expect(try await bench.server.get("/v1/things/first").text == #"{"thing":"literal"}"#)
            #expect(
                try await bench.server.get("/v1/things/first/parts/7?x=/y").text == #"{"part":"7","thing":"first"}"#)
            let created = try await bench.server.send("POST", "/v1/things/x")
            #expect(created.status == 201)
            #expect(created.header("Location") == "/v1/things/x")
            for number in ["-1", "+1", "01", "1.0", "9223372036854775808", "%31", "١"] {
                #expect(try await bench.server.get("/v1/things/a/parts/\(number)").status != 500)
            }
            #expect(try await bench.server.get("/v1/things/a/parts/01").text.contains("none"))
            #expect(try await bench.server.get("/v1/things/a/parts/9223372036854775808").text.contains("none"))
        }
    }

    @Test(
        "An unknown path returns 404 not_found",
        arguments: [
            "/", "/v1", "/v1/", "/v2/errors", "/v1/errors/", "//v1/errors", "/v1//errors", "/V1/errors",
            "/v1/things//parts/1",
            "/v1/things/",
            "/v1/things/a/parts/1/more", "/v1/%65rrors", "/../v1/errors", "/v1/things/{thing}/x",
            String(repeating: "/", count: 4_000),
        ])
    func unknownPath(_ path: String) async throws {
        try await withTestBench { bench in
            _ = try problem(try await bench.server.get(path), 404, "not_found")
        }
    }

    @Test("A wrong method returns 405 with the permitted methods in Allow")
    func wrongMethod() async throws {
        try await withTestBench { bench in
            for (method, path, allow) in [
                ("DELETE", "/v1/errors", "GET, HEAD"), ("POST", "/livez", "GET, HEAD"),
                ("GET", "/v1/things/x", "POST, DELETE"),
                ("HEAD", "/v1/form", "POST"), ("PROPFIND", "/v1/form", "POST"),
                ("OPTIONS", "/v1/versioned", "GET, HEAD, POST"),
                ("POST", "/v1/things/first", ""),
            ] {
                let reply = try await bench.server.send(method, path)
                if allow.isEmpty {
                    // The literal path wins even if it does not support the method.
                    #expect(reply.status == 405 && reply.header("Allow") == "GET, HEAD")
                } else if method == "HEAD" {
                    #expect(reply.status == 405 && reply.header("Allow") == allow && reply.body.isEmpty)
                } else {
                    _ = try problem(reply, 405, "method_not_allowed")
                    #expect(reply.header("Allow") == allow)
                }
            }
        }
    }

    @Test(
        "HEAD returns the headers of GET without a body",
        arguments: ["/livez", "/v1/errors", "/v1/versioned", "/nothing"])
    func head(_ path: String) async throws {
        try await withTestBench { bench in
            let get = try await bench.server.get(path)
            let head = try await bench.server.send("HEAD", path)
            #expect(head.status == get.status)
            #expect(head.body.isEmpty && !get.body.isEmpty)
            #expect(head.headerNames == get.headerNames)
            #expect(head.header("Content-Length") == "\(get.body.count)")
            #expect(head.header("ETag") == get.header("ETag"))
            // The connection still parses the next request.
            #expect(try await bench.server.get("/livez").status == 200)
        }
    }

    @Test("A body of another media type than JSON returns 415")
    func mediaType() async throws {
        let body = Array(#"{"name":"Ann"}"#.utf8)
        try await withTestBench { bench in
            for type in [
                "application/json", "application/json; charset=utf-8", "Application/JSON",
                "application/json;profile=\"x;y\"",
            ] {
                let reply = try await bench.server.send(
                    "POST", "/v1/form", headers: [("Content-Type", type)], body: body)
                #expect(reply.status == 200 && reply.text == #"{"name":"Ann"}"#, "\(type)")
            }
            for type in [
                "text/plain", "application/jsonx", "application/problem+json", "application", "", "text/json", "*/*",
            ] {
                let reply = try await bench.server.send(
                    "POST", "/v1/form", headers: [("Content-Type", type)], body: body)
                _ = try problem(reply, 415, "unsupported_media_type")
            }
            _ = try problem(try await bench.server.send("POST", "/v1/form", body: body), 415, "unsupported_media_type")
        }
    }

    @Test("A compressed body returns 415 with Accept-Encoding: identity")
    func contentCoding() async throws {
        let body = Array(#"{"name":"Ann"}"#.utf8)
        try await withTestBench { bench in
            for coding in ["gzip", "GZIP", "deflate", "br", "identity, gzip", "gzip, identity", "x-unknown"] {
                let headers = [("Content-Type", "application/json"), ("Content-Encoding", coding)]
                let reply = try await bench.server.send("POST", "/v1/form", headers: headers, body: body)
                _ = try problem(reply, 415, "unsupported_media_type")
                #expect(reply.header("Accept-Encoding") == "identity", "\(coding)")
            }
            for coding in ["identity", "Identity", "identity, identity"] {
                let headers = [("Content-Type", "application/json"), ("Content-Encoding", coding)]
                #expect(
                    try await bench.server.send("POST", "/v1/form", headers: headers, body: body).status == 200,
                    "\(coding)")
            }
            let plain = try await bench.server.send(
                "POST", "/v1/form", headers: [("Content-Type", "text/plain")], body: body)
            #expect(plain.status == 415 && plain.header("Accept-Encoding") == nil)
        }
    }

    @Test("A body over 64 KiB returns 413, declared or streamed, and a body of exactly 64 KiB is accepted")
    func bodyLimit() async throws {
        try await withTestBench { bench in
            let json = [("Content-Type", "application/json")]
            func padded(to count: Int) -> [UInt8] { Array("{}".utf8) + [UInt8](repeating: 0x20, count: count - 2) }
            #expect(
                try await bench.server.send("POST", "/v1/form", headers: json, body: padded(to: 65_536)).status == 200)
            _ = try problem(
                try await bench.server.send("POST", "/v1/form", headers: json, body: padded(to: 65_537)), 413,
                "body_too_large")
            _ = try problem(
                try await bench.server.send("POST", "/v1/things/x", body: padded(to: 65_537)), 413, "body_too_large")
            try await bench.server.withRawConnection { connection in
                try await connection.send(
                    "POST /v1/form HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                        + "Transfer-Encoding: chunked\r\n\r\n")
                for _ in 0..<17 { try await connection.send("1000\r\n" + String(repeating: " ", count: 4096) + "\r\n") }
                #expect(try await connection.read(until: "}").contains("413 "))
                try await connection.send("0\r\n\r\nGET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                #expect(await connection.readToEnd().contains("200 OK"))
            }
            try await bench.server.withRawConnection { connection in
                try await connection.send(
                    "POST /v1/form HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                        + "Content-Length: 99999999\r\n\r\n")
                // The server rejects the request before a byte of the body is sent.
                #expect(try await connection.read(until: "}").contains("body_too_large"))
            }
        }
    }

    @Test(
        "A malformed body returns 400 with the field and the reason",
        arguments: [
            ("", "empty"), ("{", "ends"), ("[]", "array"), (#"{"name":1}"#, "name: "),
            (#"{"name":"a","name":"a"}"#, "twice"),
            (#"{"price":1}"#, "\"price\""), (#"{"name":"\u0000"}"#, "NUL"),
        ])
    func malformed(_ body: String, _ reason: String) async throws {
        try await withTestBench { bench in
            let hint = try #require(
                try problem(try await bench.server.post("/v1/form", json: body), 400, "malformed_body").hint)
            #expect(hint.contains(reason), "\(hint)")
        }
    }

    @Test("A query is decoded strictly")
    func query() async throws {
        try await withTestBench { bench in
            for (query, value) in [
                ("?q=a+b%2Bc", "\"a b+c\""), ("?q=", "\"\""), ("?q", "\"\""), ("", "null"),
                ("?x=1&q=%C3%A9&&", "\"é\""),
                ("?q=a=b", "\"a=b\""),
            ] {
                #expect(try await bench.server.get("/v1/query" + query).text == #"{"q":\#(value)}"#, "\(query)")
            }
            try await bench.server.withRawConnection { connection in
                for query in [
                    "?q=%", "?q=%4", "?q=%GG", "?q=%FF", "?q=%00", "?q=a%00b", "?%00=1", "?q=1&q=2",
                    "?" + (0..<40).map { "a\($0)=1" }.joined(separator: "&"),
                ] {
                    try await connection.send("GET /v1/query\(query) HTTP/1.1\r\nHost: x\r\n\r\n")
                    let reply = try await connection.read(until: "\"}")
                    #expect(reply.contains("400 ") && reply.contains("invalid_parameter"), "\(query)")
                }
            }
        }
    }

    @Test("An unexpected error returns an opaque 500 and is logged in full with the request id")
    func opaque() async throws {
        try await withTestBench { bench in
            let reply = try await bench.server.get("/v1/boom")
            let body = try problem(reply, 500, "internal_error")
            #expect(!reply.text.contains("hunter2") && !reply.text.contains("SecretFailure"))
            let line = bench.log.lines.withLock { $0.first { $0.contains(body.requestId) } }
            #expect(line?.hasPrefix("error ") == true)
            #expect(line?.contains("hunter2") == true && line?.contains("/v1/boom") == true)
        }
    }

    @Test("Requests beyond the limit return 503 with Retry-After, but health checks are always answered")
    func overload() async throws {
        try await withTestBench {
            $0.server.maxInFlight = 1
        } _: { bench in
            async let heldReply = bench.server.get("/v1/held")
            await bench.gate.waitForCaller()
            let shed = try await bench.server.get("/v1/errors")
            _ = try problem(shed, 503, "overloaded")
            #expect(shed.header("Retry-After") == "1")
            #expect(try await bench.server.get("/livez").status == 200)
            bench.gate.open()
            #expect(try await heldReply.status == 200)
            #expect(try await bench.server.get("/v1/errors").status == 200)
        }
    }
}
