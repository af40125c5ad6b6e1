// What Prometheus scrapes. The metrics themselves are in Metrics/ShopMetrics.swift.

import HTTPTypes
import NIOCore

/// `GET /metrics`.
struct MetricsRoutes: Routes {
    /// All metrics as text.
    let text: @Sendable () -> String

    func add(to routes: inout RouteTable) {
        routes.get("/metrics", "The server's metrics as Prometheus reads them", isNeverShed: true) { _, _ in
            Response(
                status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
                body: .bytes(ByteBuffer(string: text())))
        }
    }
}
