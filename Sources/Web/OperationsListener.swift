// A second port for operators: metrics and health checks, no routes for guests. Neither encrypted nor authenticated,
// so it belongs in a private network.
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Builds the service for the operations port.
func operationsListener(
    _ configuration: WebConfiguration, port: Int, operations: OperationsServices, metrics: MetricsRoutes, logger: Logger
) -> any Service {
    let table = RouteTable([HealthRoutes(readiness: operations.readiness, version: configuration.version), metrics])
    let responder = Responder(
        routes: RouteTree(table), shedding: LoadShedding(limit: configuration.maxInFlight),
        metrics: RequestMetrics(table, product: "welms", factory: operations.metrics),
        problems: ProblemWriter(product: "welms"))
    // Suppress the server's own start message; the main listener logs the shop's address.
    var quiet = logger
    quiet.logLevel = max(logger.logLevel, .warning)
    // Few clients connect here, each with one or two connections.
    let admission = ConnectionAdmission(
        .init(total: 256, perClient: 64, reserve: configuration.reservedConnections),
        trustedProxies: configuration.rateLimits.trustedProxies)
    return HTTPConnections(
        responder: responder, limits: configuration.connection, admission: admission, certificate: nil
    ).server(
        configuration: ServerConfiguration(address: .hostname(configuration.host, port: port), backlog: 256),
        onServerRunning: { channel in
            logger.notice("Metrics and health checks on port \(channel.localAddress?.port ?? port)")
        },
        eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
        logger: quiet)
}
