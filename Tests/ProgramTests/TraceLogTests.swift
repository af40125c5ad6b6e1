// Traces as an operator has them: `--trace-log` on the program that was built, a caller's traceparent, and the lines that come of it.
// Tests Sources/welms/LogTracer.swift and LoggedSpan.swift; and that the client passes its trace on.
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

    /// The lines of a JSON log.
    private static func objects(_ lines: [String]) throws -> [[String: Any]] {
        try lines.filter { !$0.trimmed.isEmpty }.map { line in
            try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
        }
    }

    private static func spans(_ lines: [String]) throws -> [[String: Any]] {
        try objects(lines).filter { $0["message"] as? String == "span" }
    }

    /// A server that logs as JSON and at debug level, and an order whose checkout was sent with this traceparent.
    private func afterACheckout(
        _ arguments: [String], traceparent: String, _ body: @Sendable @escaping (TestServer, @Sendable () -> [String]) async throws -> Void
    ) async throws {
        try await TestDatabase.with(.seeded) { database in
            let port = try Program.freePort()
            let all = database.serveArguments + ["--port", "\(port)", "--log-format", "json", "--log-level", "debug"] + arguments
            _ = try await Program.serve(all) { running in
                try await TestServer.at(port: port) { server in
                    let form = CheckoutBody.filled(for: try await server.startBasket(items: [(2001, 2)]))
                    let headers = [("Idempotency-Key", "k"), ("traceparent", traceparent)]
                    let reply = try await server.post("/v1/checkout", json: String(decoding: form.json, as: UTF8.self), headers: headers)
                    #expect(reply.status == 201, "\(reply.text)")
                    _ = try await server.get("/the-last-one")
                    try await eventually("all is logged") { running.log().contains { $0.contains("/the-last-one") } }
                    try await body(server, running.log)
                }
            }
        }
    }

    @Test("A sampled checkout is five lines of its caller's trace, each with its times; the request's other lines name its span")
    func sampled() async throws {
        try await afterACheckout(["--trace-log", "callers"], traceparent: "00-\(Self.trace)-\(Self.caller)-01") { _, log in
            try await eventually("its spans are logged") { try Self.spans(log()).count >= 5 }
            let spans = try Self.spans(log()).sorted { ($0["start"] as? Int ?? 0) < ($1["start"] as? Int ?? 0) }
            // Those of the other requests are not: nobody asked for them.
            #expect(spans.map { $0["name"] as? String } == ["POST /v1/checkout", "queue", "facts", "decision", "statement"])
            let request = try #require(spans.first)
            #expect(spans.allSatisfy { $0["traceId"] as? String == Self.trace && $0["failed"] as? Bool == false })
            #expect(request["parentSpanId"] as? String == Self.caller && request["kind"] as? String == "server")
            let id = try #require(request["spanId"] as? String)
            #expect(spans.allSatisfy { ($0["time"] as? String)?.hasPrefix("20") == true })
            #expect(spans.dropFirst().allSatisfy { $0["parentSpanId"] as? String == id })
            #expect(Set(spans.map { $0["spanId"] as? String }).count == 5)
            let attributes = try #require(request["attributes"] as? [String: Any])
            #expect(attributes["http.route"] as? String == "/v1/checkout" && attributes["http.response.status_code"] as? Int == 201)
            let durations = spans.compactMap { $0["duration"] as? Int }
            #expect(durations.count == 5 && durations.dropFirst().reduce(0, +) <= durations[0] + 4, "\(durations)")
            let answered = try #require(try Self.objects(log()).first { $0["path"] as? String == "/v1/checkout" })
            #expect(answered["traceId"] as? String == Self.trace && answered["spanId"] as? String == id)
        }
    }

    @Test("A caller who does not sample has its trace in the log and no spans; without --trace-log there is no span at all")
    func notSampled() async throws {
        for (arguments, flags) in [(["--trace-log", "callers"], "00"), ([], "01")] {
            try await afterACheckout(arguments, traceparent: "00-\(Self.trace)-\(Self.caller)-\(flags)") { _, log in
                let answered = try #require(try Self.objects(log()).first { $0["path"] as? String == "/v1/checkout" })
                #expect(answered["traceId"] as? String == Self.trace)
                #expect((answered["spanId"] == nil) == arguments.isEmpty)
                #expect(try Self.spans(log()).isEmpty)
            }
        }
    }

    @Test("A traceparent that is none starts a trace of its own and changes nothing else")
    func hostile() async throws {
        let zeros = (String(repeating: "0", count: 32), String(repeating: "0", count: 16))
        try await afterACheckout(["--trace-log", "1"], traceparent: "00-\(Self.trace.uppercased())-\(Self.caller)-01") { server, log in
            let headers = [
                "00-\(zeros.0)-\(Self.caller)-01", "00-\(Self.trace)-\(zeros.1)-01", "ff-\(Self.trace)-\(Self.caller)-01",
                "00-\(Self.trace)-\(Self.caller)-zz", "00-\(Self.trace)-\(Self.caller)-01-\(String(repeating: "f", count: 12_000))", "{\"}",
            ]
            for header in headers { _ = try await server.get("/v1/menu/2001", headers: [("traceparent", header)]).expecting(200) }
            let valid = "00-\(Self.trace)-\(Self.caller)-01"
            _ = try await server.get("/v1/menu/2001", headers: [("traceparent", valid), ("traceparent", valid)]).expecting(200)
            func those() throws -> [[String: Any]] { try Self.spans(log()).filter { $0["name"] as? String == "GET /v1/menu/{id}" } }
            try await eventually("they are logged") { try those().count >= 7 }
            let spans = try those() + Self.spans(log()).filter { $0["name"] as? String == "POST /v1/checkout" }
            #expect(spans.count == 8 && spans.allSatisfy { $0["parentSpanId"] == nil })
            let traces = Set(spans.compactMap { $0["traceId"] as? String })
            #expect(traces.count == 8 && !traces.contains(Self.trace) && traces.allSatisfy { $0.utf8.count == 32 })
            #expect(log().allSatisfy { $0.utf8.count < 2000 })
        }
    }

    @Test("Of the traces that begin here one in so many is logged, and each as a whole")
    func oneIn() throws {
        let lines = Lines()
        let tracer = LogTracer(oneIn: 10, write: lines.add)
        for _ in 0..<2000 {
            let request = tracer.startSpan("request", context: .topLevel)
            #expect(request.isRecording == request.context.traceParent?.isSampled)
            tracer.startSpan("below", context: request.context).end()
            request.end()
            request.end()
        }
        let spans = try Self.spans(lines.all)
        // 200 are expected; 100 and 300 lie 7 standard deviations away.
        #expect((200...600).contains(spans.count) && spans.count.isMultiple(of: 2))
        #expect(Set(spans.compactMap { $0["traceId"] as? String }).count * 2 == spans.count)
    }

    @Test("A storefront in Swift passes its trace on: the server's span stands below the client's attempt, and that below the caller's own")
    func client() async throws {
        let (here, there) = (Lines(), Lines())
        let tracer = LogTracer(oneIn: 1, write: here.add)
        try await TestShop.run(tracer: LogTracer(oneIn: nil, write: there.add)) { shop in
            var configuration = ClientConfiguration()
            configuration.tracer = tracer
            try await StorefrontClient.with(shop.server.url(""), configuration: configuration) { client in
                try await tracer.withSpan("a guest", context: .topLevel) { _ in _ = try await client.createBasket() }
            }
            try await eventually("the server's spans are logged") { try Self.spans(there.all).count >= 5 }
            let mine = try Self.spans(here.all)
            let (attempt, own) = (try #require(mine.first), try #require(mine.last))
            #expect(own["name"] as? String == "a guest" && attempt["parentSpanId"] as? String == own["spanId"] as? String)
            let served = try Self.spans(there.all)
            #expect(served.allSatisfy { $0["traceId"] as? String == own["traceId"] as? String })
            let request = try #require(served.first { $0["name"] as? String == "POST /v1/baskets" })
            #expect(request["parentSpanId"] as? String == attempt["spanId"] as? String)
        }
    }
}

/// What a tracer of the test's own has written.
private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func add(_ line: [UInt8]) { lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) } }
}
