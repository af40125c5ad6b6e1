// A second port for operators: metrics and health checks, no routes for guests. Neither encrypted nor authenticated,
// so it belongs in a private network.
import HTTPServing
import Logging
import ServiceLifecycle

/// Builds the service for the operations port.
func operationsListener(
    _ configuration: WebConfiguration, port: Int, operations: OperationsServices, metrics: MetricsRoutes, logger: Logger
) -> any Service {
    var server = configuration.server
    // Few clients connect here, each with one or two connections.
    (server.port, server.backlog, server.maxConnections, server.maxConnectionsPerClient) = (port, 256, 256, 64)
    (server.certificate, server.crossOrigin) = (nil, nil)
    // Suppress the server's own start message; the main listener logs the shop's address.
    var quiet = logger
    quiet.logLevel = max(logger.logLevel, .warning)
    return buildHTTPServer(
        server,
        routes: RouteTable([HealthRoutes(readiness: operations.readiness, version: configuration.version), metrics]),
        metrics: operations.metrics, logger: quiet
    ) { port in
        logger.notice("Metrics and health checks on port \(port)")
    }
}
