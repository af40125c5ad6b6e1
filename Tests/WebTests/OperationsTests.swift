// The error channel as server-sent events, and the health routes. Read next: Sources/Web/Responses/EventStream.swift.

import ErrorChannel
import Foundation
import Support
import Synchronization
import Testing
import Wire

@testable import Web

@Suite("Operations", .timeLimit(.minutes(10)))
struct OperationsTests {
    static func fault(_ subject: String = "menu") -> SystemFault {
        SystemFault(code: "menu_unavailable", subject: subject, link: "/v1/menu", message: "Sorry", logMessage: "secret host")
    }

    static func listen(_ lastEventID: String? = nil) -> String {
        "GET /v1/errors/events HTTP/1.1\r\nHost: x\r\n" + (lastEventID.map { "Last-Event-ID: \($0)\r\n" } ?? "") + "\r\n"
    }

    @Test("What the app does, 8: GET /v1/errors shows the condition and the newest events first, without the log's text, and has an ETag")
    func errors() async throws {
        try await withBench { bench in
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

    @Test("What the app does, 8: the stream tells events as they happen, typed and with ids, and heartbeats between")
    func stream() async throws {
        try await withBench {
            $0.heartbeat = .milliseconds(50)
        } _: { bench in
            try await bench.server.raw { connection in
                try await connection.send(Self.listen())
                let head = try await connection.read(until: "retry: ")
                #expect(head.contains("200 OK") && head.contains("text/event-stream") && head.contains("X-Request-Id: "))
                bench.errors.publish(Self.fault(), at: 0)
                let event = try await connection.read(until: "}")
                #expect(event.contains("id: 0000000000000007-1\nevent: fault\ndata: {\"id\":\"0000000000000007-1\","), "\(event)")
                _ = try await connection.read(until: ": still here\n\n")
                bench.errors.recover(subject: "menu", message: "Well again", at: 1)
                #expect(try await connection.read(until: "Well again").contains("event: recovery"))
            }
        }
    }

    @Test("Each stream begins with a random retry between 1.5 and 5 seconds")
    func retry() async throws {
        try await withBench { bench in
            var times: Set<Int> = []
            for _ in 0..<12 {
                try await bench.server.raw { connection in
                    try await connection.send(Self.listen())
                    let retry = try await connection.readRetry()
                    times.insert(try #require(retry))
                }
            }
            #expect(times.allSatisfy { (1_500...5_000).contains($0) }, "\(times)")
            // Twelve equal ones of 3,501 don't happen by chance.
            #expect(times.count > 1, "\(times)")
        }
    }

    @Test("What the app does, 8: the stream resumes by Last-Event-ID, gives an unknown epoch the whole ring, and says how many were missed")
    func resume() async throws {
        try await withBench { bench in
            for moment in 0..<Int64(150) {
                bench.errors.publish(Self.fault(), at: moment)
                bench.errors.recover(subject: "menu", message: "Well again", at: moment)
            }
            for (id, first, last) in [
                ("0000000000000007-298", "id: 0000000000000007-299\n", "7-300"),
                ("0000000000000007-4", "event: missed\ndata: {\"missed\":40}\n", "7-300"),
                ("beef-9", "id: 0000000000000007-45\n", "7-300"), ("garbage", "id: 0000000000000007-45\n", "7-300"),
            ] {
                try await bench.server.raw { connection in
                    try await connection.send(Self.listen(id))
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

    @Test("an open stream ends in order on shutdown and does not hold it up")
    func shutdown() async throws {
        let start = ContinuousClock.now
        try await withBench { bench in
            try await bench.server.raw { connection in
                try await connection.send(Self.listen())
                _ = try await connection.readRetry()
                await bench.server.shutDown()
                // The end of the chunked body: it was not cut.
                #expect(await connection.readToEnd().hasSuffix("0\r\n\r\n"))
            }
        }
        #expect(ContinuousClock.now - start < .seconds(8))
    }

    /// Sends the listeners events until one of them has missed some, for far more has gone out than the sockets between hold, or was let go.
    /// `quick` takes them all as they come.
    static func flood(_ bench: Bench, _ quick: inout RawConnection) async throws {
        let long = SystemFault(
            code: "menu_unavailable", subject: "menu", link: "/v1/menu", message: String(repeating: "Sorry. ", count: 4_000), logMessage: ""
        )
        let listeners = bench.errors.listenerCount
        for moment in 0..<Int64(2000) where bench.errors.missedCount == 0 && bench.errors.listenerCount == listeners {
            bench.errors.publish(long, at: moment)
            bench.errors.recover(subject: "menu", message: "Well again", at: moment)
            _ = try await quick.read(until: "Well again")
        }
    }

    @Test("Promise 9: a client that stops reading costs the others nothing, and learns how many it missed when it reads again")
    func stalled() async throws {
        try await withBench {
            // On a busy machine the flood takes its time, and nothing must let go of the client before it reads again.
            // The heartbeats that it does not take are no reason.
            $0.heartbeat = .milliseconds(50)
            $0.connection.progressWindow = .seconds(600)
        } _: { bench in
            try await bench.server.raw { quick in
                try await quick.send(Self.listen())
                _ = try await quick.readRetry()
                try await bench.server.raw(receiveBuffer: 4096) { stalled in
                    try await stalled.send(Self.listen("x-1"))
                    while bench.errors.listenerCount < 2 { await Task.yield() }
                    try await Self.flood(bench, &quick)
                    _ = try await stalled.read(until: "event: missed\ndata: {\"missed\":")
                }
            }
        }
    }

    @Test("Promise 9: a client that stops reading does not hold up the shutdown, and is let go after a while")
    func stalledShutdown() async throws {
        for window in [Duration.seconds(600), .milliseconds(300)] {
            try await withBench {
                $0.heartbeat = .milliseconds(50)
                $0.connection.progressWindow = window
            } _: { bench in
                try await bench.server.raw { quick in
                    try await quick.send(Self.listen())
                    _ = try await quick.readRetry()
                    try await bench.server.raw(receiveBuffer: 4096) { stalled in
                        try await stalled.send(Self.listen("x-1"))
                        while bench.errors.listenerCount < 2 { await Task.yield() }
                        try await Self.flood(bench, &quick)
                        if window < .seconds(1) {
                            // Although what it has not taken fits into what a channel still calls writable.
                            try await eventually("it is let go") { bench.errors.listenerCount == 1 }
                        } else {
                            let start = ContinuousClock.now
                            await bench.server.shutDown()
                            _ = await quick.readToEnd()
                            #expect(ContinuousClock.now - start < .seconds(20))
                        }
                    }
                }
            }
        }
    }

    @Test("Promise 9: a client that has asked for much and reads nothing is cut off soon after the time for shutting down is over")
    func stalledEnd() async throws {
        try await withBench(shutdownLimit: .milliseconds(500)) { bench in
            try await bench.server.raw(receiveBuffer: 4096) { stalled in
                let requests = String(repeating: "GET /v1/large HTTP/1.1\r\nHost: x\r\n\r\n", count: 100)
                try await stalled.send(requests)
                _ = try await stalled.read(until: "\r\n\r\n")
                let start = ContinuousClock.now
                await bench.server.shutDown()
                // Ends when the server closes; who does not read for the deadline of a request, 10 s, is let go in any case.
                while (try? await stalled.send(requests)) != nil {}
                #expect(ContinuousClock.now - start < .seconds(6))
            }
        }
    }

    @Test("Promise 9: an answer that is on its way when the server shuts down comes whole")
    func wholeAnswer() async throws {
        try await withBench { bench in
            try await bench.server.raw(receiveBuffer: 64 * 1024) { connection in
                try await connection.send("GET /v1/huge HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(try await connection.read(until: "\r\n\r\n").contains("Content-Length: 8388608\r\n"))
                await bench.server.shutDown()
                try await eventually("nobody else is let in") { (try? await bench.server.raw { _ in }) == nil }
                #expect(await connection.readToEnd().utf8.count == 8_388_608)
            }
        }
    }

    @Test("a client that goes is forgotten at once, before any event is sent")
    func clientGone() async throws {
        try await withBench { bench in
            try await bench.server.raw { connection in
                try await connection.send(Self.listen())
                _ = try await connection.readRetry()
                #expect(bench.errors.listenerCount == 1)
            }
            while bench.errors.listenerCount > 0 { try await Task.sleep(for: .milliseconds(5)) }
        }
    }

    @Test("HEAD of the stream has its headers, no body, and no listener")
    func headOfStream() async throws {
        try await withBench { bench in
            let head = try await bench.server.send("HEAD", "/v1/errors/events")
            #expect(head.status == 200 && head.header("Content-Type") == "text/event-stream")
            #expect(bench.errors.listenerCount == 0)
        }
    }

    @Test("/livez always answers; /readyz is 503 until the start is done, lists its checks, and is 503 while draining")
    func health() async throws {
        let result = Mutex(CheckResult.ok)
        try await withBench(checks: [
            ReadinessCheck("database") { result.withLock { $0 } }, ReadinessCheck("menu") { .ok },
        ]) { bench in
            func ready() async throws -> (Int, String) {
                let reply = try await bench.server.get("/readyz")
                return (reply.status, reply.text)
            }
            #expect(try await bench.server.get("/livez").text == #"{"status":"alive","version":"0.1.0","commit":null,"isChanged":false}"#)
            var (status, text) = try await ready()
            #expect(status == 503 && text.contains("\"status\":\"starting\""))
            bench.readiness.started()
            (status, text) = try await ready()
            #expect(status == 200)
            #expect(
                text
                    == #"{"status":"ready","checks":[{"name":"database","status":"ok","detail":null},{"name":"menu","status":"ok","detail":null}]}"#
            )
            result.withLock { $0 = .degraded("menu is 12 s old") }
            (status, text) = try await ready()
            #expect(status == 200 && text.contains("menu is 12 s old") && text.hasPrefix(#"{"status":"degraded""#))
            result.withLock { $0 = .failed("away") }
            #expect(try await ready().0 == 503)
            result.withLock { $0 = .ok }
            bench.readiness.drain()
            bench.readiness.started()
            (status, text) = try await ready()
            #expect(status == 503 && text.contains("draining"))
            #expect(try await bench.server.get("/livez").status == 200)
        }
    }

    @Test("what is in flight when the shutdown begins is answered, and /readyz on that connection says draining")
    func drainsInFlight() async throws {
        try await withBench { bench in
            bench.readiness.started()
            try await bench.server.raw { connection in
                try await connection.send("GET /v1/held HTTP/1.1\r\nHost: x\r\n\r\nGET /readyz HTTP/1.1\r\nHost: x\r\n\r\n")
                await bench.gate.hasGuest()
                await bench.server.shutDown()
                // It has begun when nobody new is let in.
                while (try? await bench.server.raw { _ in true }) == true {}
                bench.gate.letThrough()
                let reply = await connection.readToEnd()
                #expect(reply.contains(#"{"held":false}"#))
                #expect(reply.contains("draining"), "\(reply)")
            }
        }
    }
}
