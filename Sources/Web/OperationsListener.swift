// A second port for those who run the server: metrics and health checks, and nothing that is for guests. It is not encrypted, and asks nobody
// who he is: it belongs into a network of the operator's own. Made by ShopApplication.swift where a port is set.
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// The service that listens there.
func operationsListener(
    _ configuration: WebConfiguration, port: Int, operations: OperationsServices, metrics: MetricsRoutes, logger: Logger
) -> any Service {
    let table = RouteTable([HealthRoutes(readiness: operations.readiness, version: configuration.version), metrics])
    let responder = Responder(
        routes: RouteTree(table), shedding: LoadShedding(limit: configuration.maxInFlight),
        metrics: RequestMetrics(table, factory: operations.metrics))
    // Of what a server says when it listens, only what goes wrong: the line with the address of the shop is the other's.
    var quiet = logger
    quiet.logLevel = max(logger.logLevel, .warning)
    // Few ask here, each with a connection or two.
    let admission = ConnectionAdmission(
        .init(total: 256, perClient: 64, reserve: configuration.reservedConnections),
        behind: configuration.rateLimits.trustedProxies)
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
