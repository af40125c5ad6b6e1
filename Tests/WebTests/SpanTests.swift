// Tests the spans of requests and their attributes with the in-memory tracer of swift-distributed-tracing.

import InMemoryTracing
import Support
import Testing
import Tracing
import Wire

@Suite("Spans", .timeLimit(.minutes(10)))
struct SpanTests {
    private let tracer = InMemoryTracer()

    /// The ended span of a request, and its ended children by start time, once there are `count` of them.
    private func request(
        _ name: String, children count: Int
    ) async throws -> (request: FinishedInMemorySpan, children: [FinishedInMemorySpan]) {
        var found: FinishedInMemorySpan?
        var children: [FinishedInMemorySpan] = []
        try await eventually("\(name) has ended with \(count) child spans") {
            let all = tracer.finishedSpans
            found = all.last { $0.operationName == name }
            children = all.filter { $0.parentSpanID == found?.spanID }
            return found != nil && children.count >= count
        }
        children.sort { $0.startInstant.nanosecondsSinceEpoch < $1.startInstant.nanosecondsSinceEpoch }
        return (try #require(found), children)
    }

    private func attributes(_ span: FinishedInMemorySpan) -> [String: SpanAttribute] {
        var found: [String: SpanAttribute] = [:]
        span.attributes.forEach { found[$0] = $1 }
        return found
    }

    @Test("A checkout and a basket change have child spans for queue, facts, decision and statement")
    func checkout() async throws {
        try await TestShop.run(tracer: tracer) { shop in
            // The server clears its caches when a connection opens, because it may lead to another database server.
            try await eventually("all connections are open") {
                try await shop.server.get("/metrics").text.contains(
                    "welms_database_connections_open \(TestShop.connections)\n")
            }
            tracer.clearAll()
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            let added = try await request("POST /v1/baskets/{basketId}/items", children: 4)
            #expect(added.children.map(\.operationName) == ["queue", "facts", "decision", "statement"])
            #expect(
                attributes(added.children[1])["db.system.name"] == nil,
                "the basket that was just written is in the cache")

            let reply = try await shop.server.checkout(.filled(for: basket, coupon: "FRST", total: 725), key: "k")
            #expect(reply.status == 201)
            let (span, children) = try await request("POST /v1/checkout", children: 4)
            #expect(children.map(\.operationName) == ["queue", "facts", "decision", "statement"])
            #expect(span.parentSpanID == nil && children.allSatisfy { $0.traceID == span.traceID })
            #expect(span.kind == .server && span.status == nil)
            // This is the complete list of attributes: none contains data of the guest.
            #expect(
                attributes(span) == [
                    "http.request.method": "POST", "http.route": "/v1/checkout", "http.response.status_code": 201,
                    "url.scheme": "http",
                ])
            #expect(
                attributes(children[0]) == ["welms.batch.size": 1] && attributes(children[2]) == attributes(children[0])
            )
            #expect(attributes(children[1]) == ["welms.batch.size": 1, "db.system.name": "postgresql"])
            #expect(attributes(children[3]) == attributes(children[1]))

            tracer.clearAll()
            let cached = try await shop.server.startBasket(items: [(2001, 1)])
            _ = try await shop.server.checkout(.filled(for: cached, guest: 2), key: "k").expecting(201)
            let ordered = try await request("POST /v1/checkout", children: 4)
            #expect(ordered.children.map(\.operationName) == ["queue", "facts", "decision", "statement"])
            #expect(ordered.children.map { attributes($0)["db.system.name"] } == [nil, nil, nil, "postgresql"])

            tracer.clearAll()
            let other = try await shop.server.startBasket(items: [(2001, 1)])
            _ = try await shop.server.checkout(.filled(for: other, total: 1), key: "k").expecting(409)
            let refused = try await request("POST /v1/checkout", children: 3)
            #expect(refused.children.map(\.operationName) == ["queue", "facts", "decision"])
            #expect(refused.request.status == nil, "a rejection is not an error of the server")
        }
    }

    @Test("Concurrent checkouts that share a batch each have their spans in their caller's trace")
    func crowd() async throws {
        try await TestShop.run(tracer: tracer) { shop in
            tracer.clearAll()
            let baskets = try await inParallel(24) { _ in try await shop.server.startBasket(items: [(2001, 1)]) }
            try await eventually("the baskets are recorded") { tracer.finishedSpans.count >= 24 * 10 }
            tracer.clearAll()
            let replies = try await inParallel(24) { guest in
                // These are the headers of the in-memory tracer.
                let trace = [
                    (InMemoryTracer.traceIDKey, "trace of \(guest)"), (InMemoryTracer.spanIDKey, "span of \(guest)"),
                ]
                // Half of the guests use a coupon, so that their checkouts read its facts.
                let (coupon, total) = guest.isMultiple(of: 2) ? ("FRST", 725) : (nil, baskets[guest].total)
                let form = CheckoutBody.filled(for: baskets[guest], guest: guest, coupon: coupon, total: total)
                let json = String(decoding: form.json, as: UTF8.self)
                return try await shop.server.post(
                    "/v1/checkout", json: json, headers: trace + [("Idempotency-Key", "k")])
            }
            #expect(replies.allSatisfy { $0.status == 201 })
            try await eventually("all spans are recorded") { tracer.finishedSpans.count >= 24 * 5 }
            let spans = tracer.finishedSpans
            #expect(spans.count == 24 * 5)
            for guest in 0..<24 {
                let spansOfTrace = spans.filter { $0.traceID == "trace of \(guest)" }
                let request = try #require(spansOfTrace.first { $0.kind == .server })
                #expect(request.parentSpanID == "span of \(guest)" && spansOfTrace.count == 5)
                let children = spansOfTrace.filter { $0.parentSpanID == request.spanID }
                #expect(Set(children.map(\.operationName)) == ["queue", "facts", "decision", "statement"])
            }
        }
    }

    @Test("A request without a queue has one span, and an unknown route or method is not named in it")
    func others() async throws {
        try await TestShop.run(tracer: tracer) { shop in
            tracer.clearAll()
            _ = try await shop.server.get("/v1/menu/2001").expecting(200)
            _ = try await shop.server.get("/unknown/path").expecting(404)
            _ = try await shop.server.send("PROPFIND", "/v1/menu").expecting(405)
            let spans = [
                try await request("GET /v1/menu/{id}", children: 0), try await request("GET", children: 0),
                try await request("HTTP", children: 0),
            ]
            #expect(spans.allSatisfy { $0.children.isEmpty })
            #expect(
                spans.map { attributes($0.request) } == [
                    [
                        "http.request.method": "GET", "http.route": "/v1/menu/{id}", "http.response.status_code": 200,
                        "url.scheme": "http",
                    ],
                    ["http.request.method": "GET", "http.response.status_code": 404, "url.scheme": "http"],
                    ["http.request.method": "_OTHER", "http.response.status_code": 405, "url.scheme": "http"],
                ])
        }
    }

    @Test("While the database is unavailable, the spans of the request and of the failed stage have error status")
    func fault() async throws {
        try await TestShop.run(tracer: tracer) { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            try await shop.database.refuseConnections()
            _ = try await shop.server.checkout(.filled(for: basket, coupon: "FRST"), key: "k").expecting(503)
            try await shop.database.acceptConnections()
            let (span, children) = try await request("POST /v1/checkout", children: 2)
            #expect(span.status?.code == .error && attributes(span)["error.type"] == "503")
            #expect(children.map(\.operationName) == ["queue", "facts"])
            #expect(children.map { $0.status?.code == .error } == [false, true])
        }
    }
}
