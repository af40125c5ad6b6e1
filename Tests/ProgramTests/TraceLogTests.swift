// --trace-log: the logged spans, traceparent of callers, and the Swift client's trace.
import Foundation
import StorefrontClient
import Support
import Synchronization
import Testing
import Tracing
import Web
import Wire

@testable import welms

@Suite("Trace log", .timeLimit(.minutes(10)))
struct TraceLogTests {
    private static let trace = "0af7651916cd43dd8448eb211c80319c"
    private static let caller = "b7ad6b7169203331"

    /// The parsed lines of a JSON log.
    private static func objects(_ lines: [String]) throws -> [[String: Any]] {
        try lines.filter { !$0.trimmed.isEmpty }.map { line in
            try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
        }
    }

    private static func spans(_ lines: [String]) throws -> [[String: Any]] {
        try objects(lines).filter { $0["message"] as? String == "span" }
    }

    /// Runs a server with a JSON log at debug level, sends a checkout with this traceparent, and then runs `body`.
    private func withLoggedCheckout(
        _ arguments: [String], traceparent: String,
        _ body: @Sendable @escaping (TestServer, @Sendable () -> [String]) async throws -> Void
    ) async throws {
        try await TestDatabase.with(.seeded) { database in
            let port = try Program.freePort()
            let all =
                database.serveArguments + ["--port", "\(port)", "--log-format", "json", "--log-level", "debug"]
                + arguments
            _ = try await Program.serve(all) { running in
                try await TestServer.connect(port: port) { server in
                    let form = CheckoutBody.filled(for: try await server.startBasket(items: [(2001, 2)]))
                    let headers = [("Idempotency-Key", "k"), ("traceparent", traceparent)]
                    let reply = try await server.post(
                        "/v1/checkout", json: String(decoding: form.json, as: UTF8.self), headers: headers)
                    #expect(reply.status == 201, "\(reply.text)")
                    _ = try await server.get("/the-last-one")
                    try await eventually("the last request is logged") {
                        running.log().contains { $0.contains("/the-last-one") }
                    }
                    try await body(server, running.log)
                }
            }
        }
    }

    @Test("A sampled checkout logs five spans of its caller's trace with times, and its other lines have the span's id")
    func sampled() async throws {
        try await withLoggedCheckout(["--trace-log", "callers"], traceparent: "00-\(Self.trace)-\(Self.caller)-01") {
            _, log in
            try await eventually("its spans are logged") { try Self.spans(log()).count >= 5 }
            let spans = try Self.spans(log()).sorted { ($0["start"] as? Int ?? 0) < ($1["start"] as? Int ?? 0) }
            // The other requests are not sampled.
            #expect(
                spans.map { $0["name"] as? String } == ["POST /v1/checkout", "queue", "facts", "decision", "statement"])
            let request = try #require(spans.first)
            #expect(spans.allSatisfy { $0["traceId"] as? String == Self.trace && $0["failed"] as? Bool == false })
            #expect(request["parentSpanId"] as? String == Self.caller && request["kind"] as? String == "server")
            let id = try #require(request["spanId"] as? String)
            #expect(spans.allSatisfy { ($0["time"] as? String)?.hasPrefix("20") == true })
            #expect(spans.dropFirst().allSatisfy { $0["parentSpanId"] as? String == id })
            #expect(Set(spans.map { $0["spanId"] as? String }).count == 5)
            let attributes = try #require(request["attributes"] as? [String: Any])
            #expect(
                attributes["http.route"] as? String == "/v1/checkout"
                    && attributes["http.response.status_code"] as? Int == 201)
            let durations = spans.compactMap { $0["duration"] as? Int }
            #expect(durations.count == 5 && durations.dropFirst().reduce(0, +) <= durations[0] + 4, "\(durations)")
            let answered = try #require(try Self.objects(log()).first { $0["path"] as? String == "/v1/checkout" })
            #expect(answered["traceId"] as? String == Self.trace && answered["spanId"] as? String == id)
        }
    }

    @Test("Without sampling or without --trace-log the log has the caller's trace id and no spans")
    func notSampled() async throws {
        for (arguments, flags) in [(["--trace-log", "callers"], "00"), ([], "01")] {
            try await withLoggedCheckout(arguments, traceparent: "00-\(Self.trace)-\(Self.caller)-\(flags)") { _, log in
                let answered = try #require(try Self.objects(log()).first { $0["path"] as? String == "/v1/checkout" })
                #expect(answered["traceId"] as? String == Self.trace)
                #expect((answered["spanId"] == nil) == arguments.isEmpty)
                #expect(try Self.spans(log()).isEmpty)
            }
        }
    }

    @Test("An invalid or repeated traceparent starts a new trace and does not affect the request")
    func hostile() async throws {
        let zeros = (String(repeating: "0", count: 32), String(repeating: "0", count: 16))
        try await withLoggedCheckout(
            ["--trace-log", "1"], traceparent: "00-\(Self.trace.uppercased())-\(Self.caller)-01"
        ) { server, log in
            let headers = [
                "00-\(zeros.0)-\(Self.caller)-01", "00-\(Self.trace)-\(zeros.1)-01",
                "ff-\(Self.trace)-\(Self.caller)-01",
                "00-\(Self.trace)-\(Self.caller)-zz",
                "00-\(Self.trace)-\(Self.caller)-01-\(String(repeating: "f", count: 12_000))", "{\"}",
            ]
            for header in headers {
                _ = try await server.get("/v1/menu/2001", headers: [("traceparent", header)]).expecting(200)
            }
            let valid = "00-\(Self.trace)-\(Self.caller)-01"
            _ = try await server.get("/v1/menu/2001", headers: [("traceparent", valid), ("traceparent", valid)])
                .expecting(200)
            func itemSpans() throws -> [[String: Any]] {
                try Self.spans(log()).filter { $0["name"] as? String == "GET /v1/menu/{id}" }
            }
            try await eventually("the spans are logged") { try itemSpans().count >= 7 }
            let spans = try itemSpans() + Self.spans(log()).filter { $0["name"] as? String == "POST /v1/checkout" }
            #expect(spans.count == 8 && spans.allSatisfy { $0["parentSpanId"] == nil })
            let traces = Set(spans.compactMap { $0["traceId"] as? String })
            #expect(traces.count == 8 && !traces.contains(Self.trace) && traces.allSatisfy { $0.utf8.count == 32 })
            #expect(log().allSatisfy { $0.utf8.count < 2000 })
        }
    }

    @Test("A tracer with oneIn: 10 logs about a tenth of the new traces, each with all its spans")
    func oneIn() throws {
        let lines = Lines()
        let tracer = LogTracer(oneIn: 10, write: lines.add)
        for _ in 0..<2000 {
            let request = tracer.startSpan("request", context: .topLevel)
            #expect(request.isRecording == request.context.traceParent?.isSampled)
            tracer.startSpan("child", context: request.context).end()
            request.end()
            request.end()
        }
        let spans = try Self.spans(lines.all)
        // About 200 traces of two spans are expected. 100 and 300 traces are 7 standard deviations away.
        #expect((200...600).contains(spans.count) && spans.count.isMultiple(of: 2))
        #expect(Set(spans.compactMap { $0["traceId"] as? String }).count * 2 == spans.count)
    }

    @Test("The Swift client propagates its trace: the server's span is a child of the attempt's span")
    func client() async throws {
        let (clientLines, serverLines) = (Lines(), Lines())
        let tracer = LogTracer(oneIn: 1, write: clientLines.add)
        try await TestShop.run(tracer: LogTracer(oneIn: nil, write: serverLines.add)) { shop in
            var configuration = ClientConfiguration()
            configuration.tracer = tracer
            try await StorefrontClient.with(shop.server.url(""), configuration: configuration) { client in
                try await tracer.withSpan("a guest", context: .topLevel) { _ in _ = try await client.createBasket() }
            }
            try await eventually("the server's spans are logged") { try Self.spans(serverLines.all).count >= 5 }
            let clientSpans = try Self.spans(clientLines.all)
            let (attempt, root) = (try #require(clientSpans.first), try #require(clientSpans.last))
            #expect(
                root["name"] as? String == "a guest" && attempt["parentSpanId"] as? String == root["spanId"] as? String)
            let served = try Self.spans(serverLines.all)
            #expect(served.allSatisfy { $0["traceId"] as? String == root["traceId"] as? String })
            let request = try #require(served.first { $0["name"] as? String == "POST /v1/baskets" })
            #expect(request["parentSpanId"] as? String == attempt["spanId"] as? String)
        }
    }
}

/// The lines that a tracer has written.
private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func add(_ line: [UInt8]) { lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) } }
}
