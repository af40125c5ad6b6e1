// Records requests by route and status with durations, and problems by code. Labels come only from the route table and
// our own codes, never from clients. Hummingbird's MetricsMiddleware needs its router.
import HTTPTypes
import Metrics
import Synchronization

final class RequestMetrics: Sendable {
    private final class RouteMetrics: Sendable {
        let labels: [(String, String)]
        let duration: Timer
        let counts = Mutex([Int: Counter]())

        init(method: String, path: String, product: String, factory: any MetricsFactory) {
            labels = [("method", method), ("route", path)]
            duration = Timer(label: "\(product)_http_request_duration_seconds", dimensions: labels, factory: factory)
        }
    }

    private let factory: any MetricsFactory
    /// The prefix of all names.
    private let product: String
    private let routes: [RouteMetrics]
    private let unmatched: RouteMetrics
    /// Cached by code, because an overloaded server should not spend time in the factory.
    private let problems = Mutex([String: Counter]())

    init(_ table: RouteTable, product: String, factory: any MetricsFactory) {
        (self.product, self.factory) = (product, factory)
        routes = table.routes.map {
            RouteMetrics(method: $0.method.rawValue, path: $0.path, product: product, factory: factory)
        }
        unmatched = RouteMetrics(method: "none", path: "none", product: product, factory: factory)
    }

    /// Records a response.
    /// - Parameter route: The route's index in the table; nil if no route matched.
    func recordResponse(_ route: Int?, _ status: HTTPResponse.Status, after duration: Duration) {
        let route = route.map { routes[$0] } ?? unmatched
        route.duration.record(duration: duration)
        let count = route.counts.withLock { counts in
            if let count = counts[status.code] { return count }
            let count = Counter(
                label: "\(product)_http_requests_total", dimensions: route.labels + [("status", "\(status.code)")],
                factory: factory)
            counts[status.code] = count
            return count
        }
        count.increment()
    }

    func recordProblem(_ problem: Problem) {
        let count = problems.withLock { problems in
            if let count = problems[problem.code] { return count }
            let count = Counter(
                label: "\(product)_problems_total", dimensions: [("code", problem.code)], factory: factory)
            problems[problem.code] = count
            return count
        }
        count.increment()
        for error in problem.errors ?? [] {
            Counter(label: "\(product)_field_errors_total", dimensions: [("code", error.code)], factory: factory)
                .increment()
        }
    }
}
