// What Prometheus reads: that it can be read, that it counts what happened, and that no label is made of what a client sent.
// Read next: Sources/Web/Metrics/ShopMetrics.swift.

import Metrics
import Support
import Testing

@testable import Web

@Suite("Metrics", .timeLimit(.minutes(10)))
struct MetricsTests {
    @Test("Requests, problems, batches and the state of the shop are told, in Prometheus' text format")
    func shop() async throws {
        try await TestShop.run { shop in
            _ = try await shop.server.order()
            _ = try await shop.server.post("/v1/checkout", json: "{}", headers: [("Idempotency-Key", "k")])
            _ = try await shop.server.get("/v1/menu/9")
            _ = try await shop.server.get("/v1/menu/hostile\"label")
            _ = try await shop.server.get("/nowhere")
            _ = try await shop.server.raw { connection in
                try await connection.send("no HTTP\r\n\r\n")
                return await connection.readToEnd()
            }
            let reply = try await shop.server.get("/metrics")
            #expect(reply.status == 200)
            #expect(reply.header("Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
            let values = try Self.read(reply.text)
            for (series, value) in [
                #"welms_http_requests_total{method="POST",route="/v1/checkout",status="201"}"#: 1.0,
                #"welms_http_requests_total{method="POST",route="/v1/checkout",status="422"}"#: 1,
                #"welms_http_requests_total{method="GET",route="/v1/menu/{id}",status="404"}"#: 2,
                #"welms_http_requests_total{method="none",route="none",status="404"}"#: 1,
                #"welms_http_request_duration_seconds_count{method="POST",route="/v1/checkout"}"#: 2,
                #"welms_http_request_duration_seconds_bucket{method="POST",route="/v1/checkout",le="+Inf"}"#: 2,
                #"welms_problems_total{code="validation_failed"}"#: 1,
                #"welms_problems_total{code="malformed_request"}"#: 1,
                #"welms_problems_total{code="menu_item_not_found"}"#: 2,
                #"welms_field_errors_total{code="required"}"#: 6,
                #"welms_queue_batch_size_sum{queue="checkouts"}"#: 1,
                #"welms_queue_waiting{queue="baskets"}"#: 0,
                "welms_errors_open": 0,
                "welms_errors_listeners": 0,
                "welms_errors_missed_total": 0,
            ] { #expect(values[series] == value, "\(series)") }
            #expect(try #require(values["welms_database_connections_open"]) >= 1)
            #expect(try #require(values["welms_menu_age_seconds"]) < 60)
            #expect(!reply.text.contains("hostile") && !reply.text.contains("nowhere"))
        }
    }

    @Test("A histogram's buckets add up, its bounds belong to the lower bucket, and labels are escaped")
    func histogram() throws {
        let registry = MetricsRegistry(["sizes": .init("How large.", buckets: [1, 10])])
        let sizes = Recorder(label: "sizes", dimensions: [("name", "a\"b\\c\nd")], aggregate: true, factory: registry)
        for size in [0, 1, 2, 10, 11] { sizes.record(size) }
        #expect(
            registry.text == #"""
                # HELP sizes How large.
                # TYPE sizes histogram
                sizes_bucket{name="a\"b\\c\nd",le="1"} 2
                sizes_bucket{name="a\"b\\c\nd",le="10"} 4
                sizes_bucket{name="a\"b\\c\nd",le="+Inf"} 5
                sizes_sum{name="a\"b\\c\nd"} 24
                sizes_count{name="a\"b\\c\nd"} 5

                """#)
    }

    @Test("A count that is kept elsewhere never falls, and a gauge whose value is not known says so as Prometheus reads it")
    func odd() {
        let registry = MetricsRegistry([:])
        for count: Int64 in [2, 5, 3] { registry.raiseCounter("missed", to: count) }
        Meter(label: "behind", factory: registry).set(Double.nan)
        #expect(registry.text == "# TYPE behind gauge\nbehind NaN\n# TYPE missed counter\nmissed 5\n")
    }

    /// Every line is a comment or `series value`, every series stands once and below its type.
    private static func read(_ text: String) throws -> [String: Double] {
        var values: [String: Double] = [:]
        var family = ""
        for line in text.split(separator: "\n") {
            if line.hasPrefix("# TYPE ") { family = String(line.split(separator: " ")[2]) }
            if line.hasPrefix("#") { continue }
            let space = try #require(line.lastIndex(of: " "))
            let series = String(line[..<space])
            #expect(series.hasPrefix(family))
            #expect(values.updateValue(try #require(Double(line[space...].dropFirst())), forKey: series) == nil)
        }
        return values
    }
}
