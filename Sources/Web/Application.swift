// Assembles the server of the API from its routes and limits.
import ErrorChannel
import HTTPServing
import HTTPTypes
import Logging
import Metrics
import ServiceLifecycle
import Tracing

/// The services that the operations routes of every server need.
package struct OperationsServices: Sendable {
    package let errorChannel: ErrorBroadcast
    package let readiness: Readiness
    package let metrics: any MetricsFactory
    /// Records spans; nil disables tracing.
    package let tracer: (any Tracer)?

    /// The defaults record no metrics and no spans.
    package init(
        errorChannel: ErrorBroadcast, readiness: Readiness, metrics: any MetricsFactory = NOOPMetricsHandler.instance,
        tracer: (any Tracer)? = nil
    ) {
        (self.errorChannel, self.readiness, self.metrics, self.tracer) = (errorChannel, readiness, metrics, tracer)
    }
}

/// Builds the server as a service. On graceful shutdown it completes requests in flight and ends event streams.
/// - Parameters:
///   - features: The route collections besides the operations routes.
///   - onRunning: Called with the port once the server listens.
package func buildApplication(
    _ configuration: WebConfiguration, operations: OperationsServices, features: [any Routes] = [], logger: Logger,
    onRunning: @escaping @Sendable (Int) async -> Void = { _ in }
) -> any Service {
    var server = configuration.server
    server.crossOrigin = server.crossOrigin?.exposing([.menuStale])
    return buildHTTPServer(
        server, routes: routeTable(configuration, operations, features), metrics: operations.metrics,
        tracer: operations.tracer, logger: logger, onRunning: onRunning)
}

/// All routes of a server.
func routeTable(_ configuration: WebConfiguration, _ operations: OperationsServices, _ features: [any Routes])
    -> RouteTable
{
    var table = RouteTable(
        features + [
            HealthRoutes(readiness: operations.readiness, version: configuration.version),
            ErrorRoutes(broadcast: operations.errorChannel, heartbeat: configuration.heartbeat),
        ])
    configuration.rateLimits.apply(to: &table, trustedProxies: configuration.server.trustedProxies)
    return table
}
