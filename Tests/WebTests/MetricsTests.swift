// Tests the Prometheus metrics: their counts, their routes, and that no label contains text of a client.

import Support
import Testing

@testable import Web

@Suite("Metrics", .timeLimit(.minutes(10)))
struct MetricsTests {
    @Test("Metrics report requests, problems, batches and the state of the shop in Prometheus' text format")
    func shop() async throws {
        try await TestShop.run { shop in
            _ = try await shop.server.order()
            _ = try await shop.server.post("/v1/checkout", json: "{}", headers: [("Idempotency-Key", "k")])
            _ = try await shop.server.get("/v1/menu/9")
            _ = try await shop.server.get("/v1/menu/hostile\"label")
            _ = try await shop.server.get("/nowhere")
            _ = try await shop.server.withRawConnection { connection in
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
            #expect(try #require(values["welms_database_snapshot_age_seconds"]) >= 0)
            #expect(!reply.text.contains("hostile") && !reply.text.contains("nowhere"))
        }
    }

    @Test("The guests' port serves metrics only to local requests that did not pass a proxy")
    func localOnly() async throws {
        try await TestShop.run { shop in
            let port = shop.server.port
            for (head, status) in [
                ("Host: 127.0.0.1:\(port)", 200), ("Host: localhost:\(port)", 200), ("Host: LOCALHOST", 200),
                ("Host: [::1]:9", 200),
                ("Host: 127.8.9.1", 200), ("Host: shop.example", 404), ("Host: 10.0.0.1", 404),
                ("Host: localhost.shop.example", 404),
                ("Host: [fd00::1]", 404), ("Host: 127.0.0.1\r\nX-Forwarded-For: 127.0.0.1", 404),
                ("Host: localhost\r\nVia: 1.1 x", 404),
                ("Host: localhost\r\nForwarded: for=192.0.2.1", 404), ("Host: localhost\r\nX-Real-IP: 192.0.2.1", 404),
                ("Host: localhost\r\nX-Forwarded-Host: shop.example", 404),
            ] {
                try await shop.server.withRawConnection { connection in
                    try await connection.send("GET /metrics HTTP/1.1\r\n\(head)\r\nConnection: close\r\n\r\n")
                    let reply = await connection.readToEnd()
                    #expect(
                        reply.hasPrefix("HTTP/1.1 \(status) ") && reply.contains("welms_") == (status == 200),
                        "\(head): \(reply.prefix(99))")
                }
            }
        }
    }

    @Test(
        "An operations port serves metrics and health checks to every client, and the guests' port has no metrics"
    )
    func operationsPort() async throws {
        var configuration = WebConfiguration(port: 0)
        configuration.operationsPort = try Program.freePort()
        let port = try #require(configuration.operationsPort)
        try await TestShop.run(configuration: configuration) { shop in
            #expect(try await shop.server.get("/metrics").status == 404)
            #expect(try await shop.server.get("/readyz").status == 200)
            try await TestServer.connect(port: port) { operations in
                try await eventually("the port listens") { (try? await operations.get("/livez").status) == 200 }
                for headers in [[], [("Host", "shop.example")], [("X-Forwarded-For", "192.0.2.1")]] {
                    let reply = try await operations.get("/metrics", headers: headers)
                    #expect(reply.status == 200 && reply.text.contains(#"route="/readyz",status="200""#), "\(headers)")
                }
                #expect(try await operations.get("/readyz").text == shop.server.get("/readyz").text)
                for path in ["/", "/v1/menu", "/v1/errors", "/openapi.json", "/staff", "/v1/staff/today"] {
                    #expect(try await operations.get(path).status == 404, "\(path)")
                }
                #expect(try await operations.send("POST", "/v1/baskets").status == 404)
            }
        }
    }

    /// Parses the text: each line is a comment or `series value`, and each series occurs once, below its type.
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
