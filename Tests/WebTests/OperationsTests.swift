// Tests the error channel as server-sent events, and the health routes.

import ErrorChannel
import Foundation
import Support
import Synchronization
import Testing
import Wire

@testable import Web

@Suite("Error channel and health routes", .timeLimit(.minutes(10)))
struct OperationsTests {
    static func fault(_ subject: String = "menu") -> SystemFault {
        SystemFault(
            code: "menu_unavailable", subject: subject, link: "/v1/menu", message: "Sorry", logMessage: "secret host")
    }

    static func streamRequest(_ lastEventID: String? = nil) -> String {
        "GET /v1/errors/events HTTP/1.1\r\nHost: x\r\n" + (lastEventID.map { "Last-Event-ID: \($0)\r\n" } ?? "")
            + "\r\n"
    }

    @Test("GET /v1/errors returns the condition and the newest events first, with an ETag and without log texts")
    func errors() async throws {
        try await withTestBench { bench in
            let before = try await bench.server.get("/v1/errors")
            #expect(before.text == #"{"condition":"healthy","events":[]}"#)
            bench.errors.publish(Self.fault(), at: 0)
            bench.errors.publish(Self.fault("database"), at: 1_500_000)
            let etag = try #require(before.header("ETag"))
            let after = try await bench.server.get("/v1/errors", headers: [("If-None-Match", etag)])
            let body = try JSONDecoder().decode(ErrorsBody.self, from: Data(after.body))
            #expect(body.condition == "degraded")
            #expect(body.events.map(\.subject) == ["database", "menu"])
            #expect(body.events.map(\.at) == ["1970-01-01T00:00:01.500Z", "1970-01-01T00:00:00.000Z"])
            #expect(body.events.map(\.id) == ["0000000000000007-2", "0000000000000007-1"])
            #expect(!after.text.contains("secret host"))
        }
    }

    @Test("The event stream sends events as they happen, with types and ids, and heartbeats in between")
    func stream() async throws {
        try await withTestBench {
            $0.heartbeat = .milliseconds(50)
        } _: { bench in
            try await bench.server.withRawConnection { connection in
                try await connection.send(Self.streamRequest())
                let head = try await connection.read(until: "retry: ")
                #expect(
                    head.contains("200 OK") && head.contains("text/event-stream") && head.contains("X-Request-Id: "))
                bench.errors.publish(Self.fault(), at: 0)
                let event = try await connection.read(until: "}")
                #expect(
                    event.contains("id: 0000000000000007-1\nevent: fault\ndata: {\"id\":\"0000000000000007-1\","),
                    "\(event)")
                _ = try await connection.read(until: ": still here\n\n")
                bench.errors.recover(subject: "menu", message: "Recovered", at: 1)
                #expect(try await connection.read(until: "Recovered").contains("event: recovery"))
            }
        }
    }

    @Test("Each stream begins with a random retry time between 1.5 and 5 seconds")
    func retry() async throws {
        try await withTestBench { bench in
            var times: Set<Int> = []
            for _ in 0..<12 {
                try await bench.server.withRawConnection { connection in
                    try await connection.send(Self.streamRequest())
                    let retry = try await connection.readRetry()
                    times.insert(try #require(retry))
                }
            }
            #expect(times.allSatisfy { (1_500...5_000).contains($0) }, "\(times)")
            // With 3,501 possible values, twelve equal values are practically impossible by chance.
            #expect(times.count > 1, "\(times)")
        }
    }

    @Test("A stream resumes after Last-Event-ID, sends all kept events for an unknown one, and counts missed events")
    func resume() async throws {
        try await withTestBench { bench in
            for moment in 0..<Int64(150) {
                bench.errors.publish(Self.fault(), at: moment)
                bench.errors.recover(subject: "menu", message: "Recovered", at: moment)
            }
            for (id, first, last) in [
                ("0000000000000007-298", "id: 0000000000000007-299\n", "7-300"),
                ("0000000000000007-4", "event: missed\ndata: {\"missed\":40}\n", "7-300"),
                ("beef-9", "id: 0000000000000007-45\n", "7-300"), ("garbage", "id: 0000000000000007-45\n", "7-300"),
            ] {
                try await bench.server.withRawConnection { connection in
                    try await connection.send(Self.streamRequest(id))
                    _ = try await connection.readRetry()
                    let text = try await connection.read(until: "id: 000000000000000\(last)\n")
                    #expect(text.dropFirst(text.first == "\r" ? 2 : 0).contains(first), "\(id): \(text.prefix(100))")
                    if first.hasPrefix("id: ") {
                        #expect(text.firstRange(of: "id: ")?.lowerBound == text.firstRange(of: first)?.lowerBound)
                    }
                }
            }
        }
    }

    @Test("An open stream ends with a complete chunked body on shutdown and does not delay it")
    func shutdown() async throws {
        let start = ContinuousClock.now
        try await withTestBench { bench in
            try await bench.server.withRawConnection { connection in
                try await connection.send(Self.streamRequest())
                _ = try await connection.readRetry()
                await bench.server.shutDown()
                // The last chunk proves that the body was not truncated.
                #expect(await connection.readToEnd().hasSuffix("0\r\n\r\n"))
            }
        }
        #expect(ContinuousClock.now - start < .seconds(8))
    }

    /// Publishes events until a listener has missed some or was disconnected. `active` reads all of them. Far more is
    /// sent than the socket buffers can hold.
    static func flood(_ bench: TestBench, _ active: inout RawConnection) async throws {
        let long = SystemFault(
            code: "menu_unavailable", subject: "menu", link: "/v1/menu",
            message: String(repeating: "Sorry. ", count: 4_000), logMessage: ""
        )
        let listeners = bench.errors.subscriberCount
        for moment in 0..<Int64(2000) where bench.errors.missedCount == 0 && bench.errors.subscriberCount == listeners {
            bench.errors.publish(long, at: moment)
            bench.errors.recover(subject: "menu", message: "Recovered", at: moment)
            _ = try await active.read(until: "Recovered")
        }
    }

    @Test("A client that stops reading does not slow the others, and later learns how many events it missed")
    func stalled() async throws {
        try await withTestBench {
            // The flood takes long on a busy machine, so the deadline must not disconnect the client during it. Unread
            // heartbeats must not disconnect the client either.
            $0.heartbeat = .milliseconds(50)
            $0.server.connection.progressWindow = .seconds(600)
        } _: { bench in
            try await bench.server.withRawConnection { active in
                try await active.send(Self.streamRequest())
                _ = try await active.readRetry()
                try await bench.server.withRawConnection(receiveBuffer: 4096) { stalled in
                    try await stalled.send(Self.streamRequest("x-1"))
                    while bench.errors.subscriberCount < 2 { await Task.yield() }
                    try await Self.flood(bench, &active)
                    _ = try await stalled.read(until: "event: missed\ndata: {\"missed\":")
                }
            }
        }
    }

    @Test("A client that stops reading does not delay the shutdown, and is disconnected after the deadline")
    func stalledShutdown() async throws {
        for window in [Duration.seconds(600), .milliseconds(300)] {
            try await withTestBench {
                $0.heartbeat = .milliseconds(50)
                $0.server.connection.progressWindow = window
            } _: { bench in
                try await bench.server.withRawConnection { active in
                    try await active.send(Self.streamRequest())
                    _ = try await active.readRetry()
                    try await bench.server.withRawConnection(receiveBuffer: 4096) { stalled in
                        try await stalled.send(Self.streamRequest("x-1"))
                        while bench.errors.subscriberCount < 2 { await Task.yield() }
                        try await Self.flood(bench, &active)
                        if window < .seconds(1) {
                            // The unread data is below the high water mark of the write buffer.
                            try await eventually("the client is disconnected") { bench.errors.subscriberCount == 1 }
                        } else {
                            let start = ContinuousClock.now
                            await bench.server.shutDown()
                            _ = await active.readToEnd()
                            #expect(ContinuousClock.now - start < .seconds(20))
                        }
                    }
                }
            }
        }
    }

    @Test("A client that reads no responses is disconnected soon after the shutdown limit")
    func stalledEnd() async throws {
        try await withTestBench(shutdownLimit: .milliseconds(500)) { bench in
            try await bench.server.withRawConnection(receiveBuffer: 4096) { stalled in
                let requests = String(repeating: "GET /v1/large HTTP/1.1\r\nHost: x\r\n\r\n", count: 100)
                try await stalled.send(requests)
                _ = try await stalled.read(until: "\r\n\r\n")
                let start = ContinuousClock.now
                await bench.server.shutDown()
                // Ends when the server closes the connection, which without the limit would take the progress
                // deadline of 10 s.
                while (try? await stalled.send(requests)) != nil {}
                #expect(ContinuousClock.now - start < .seconds(6))
            }
        }
    }

    @Test("A response in flight at shutdown is sent completely")
    func wholeAnswer() async throws {
        try await withTestBench { bench in
            try await bench.server.withRawConnection(receiveBuffer: 64 * 1024) { connection in
                try await connection.send("GET /v1/huge HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(try await connection.read(until: "\r\n\r\n").contains("Content-Length: 8388608\r\n"))
                await bench.server.shutDown()
                try await eventually("new connections are refused") {
                    (try? await bench.server.withRawConnection { _ in }) == nil
                }
                #expect(await connection.readToEnd().utf8.count == 8_388_608)
            }
        }
    }

    @Test("A disconnected client is removed at once, before the next event")
    func clientDisconnects() async throws {
        try await withTestBench { bench in
            try await bench.server.withRawConnection { connection in
                try await connection.send(Self.streamRequest())
                _ = try await connection.readRetry()
                #expect(bench.errors.subscriberCount == 1)
            }
            while bench.errors.subscriberCount > 0 { try await Task.sleep(for: .milliseconds(5)) }
        }
    }

    @Test("HEAD of the stream returns its headers without a body, and adds no listener")
    func headOfStream() async throws {
        try await withTestBench { bench in
            let head = try await bench.server.send("HEAD", "/v1/errors/events")
            #expect(head.status == 200 && head.header("Content-Type") == "text/event-stream")
            #expect(bench.errors.subscriberCount == 0)
        }
    }

    @Test("/livez always returns 200, and /readyz returns its checks, or 503 at start and while draining")
    func health() async throws {
        let result = Mutex(CheckResult.ok)
        try await withTestBench(checks: [
            ReadinessCheck("database") { result.withLock { $0 } }, ReadinessCheck("menu") { .ok },
        ]) { bench in
            func ready() async throws -> (Int, String) {
                let reply = try await bench.server.get("/readyz")
                return (reply.status, reply.text)
            }
            #expect(
                try await bench.server.get("/livez").text
                    == #"{"status":"alive","version":"1.0.0","commit":null,"isChanged":false}"#)
            var (status, text) = try await ready()
            #expect(status == 503 && text.contains("\"status\":\"starting\""))
            bench.readiness.markStarted()
            (status, text) = try await ready()
            #expect(status == 200)
            #expect(
                text
                    == #"{"status":"ready","checks":[{"name":"database","status":"ok","detail":null},"#
                    + #"{"name":"menu","status":"ok","detail":null}]}"#)
            result.withLock { $0 = .degraded("menu is 12 s old") }
            (status, text) = try await ready()
            #expect(status == 200 && text.contains("menu is 12 s old") && text.hasPrefix(#"{"status":"degraded""#))
            result.withLock { $0 = .failed("away") }
            #expect(try await ready().0 == 503)
            result.withLock { $0 = .ok }
            bench.readiness.markDraining()
            bench.readiness.markStarted()
            (status, text) = try await ready()
            #expect(status == 503 && text.contains("draining"))
            #expect(try await bench.server.get("/livez").status == 200)
        }
    }

    @Test("A request in flight at shutdown is answered, and /readyz on its connection reports draining")
    func drainsInFlight() async throws {
        try await withTestBench { bench in
            bench.readiness.markStarted()
            try await bench.server.withRawConnection { connection in
                try await connection.send(
                    "GET /v1/held HTTP/1.1\r\nHost: x\r\n\r\nGET /readyz HTTP/1.1\r\nHost: x\r\n\r\n")
                await bench.gate.waitForCaller()
                await bench.server.shutDown()
                // The shutdown has begun when new connections are refused.
                while (try? await bench.server.withRawConnection { _ in true }) == true {}
                bench.gate.open()
                let reply = await connection.readToEnd()
                #expect(reply.contains(#"{"held":false}"#))
                #expect(reply.contains("draining"), "\(reply)")
            }
        }
    }
}
