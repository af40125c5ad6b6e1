// Assembles the server from its routes, limits and listener.
import ErrorChannel
import HTTPTypes
import HummingbirdCore
import Logging
import Metrics
import NIOCore
import NIOPosix
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
    let table = routeTable(configuration, operations, features)
    let responder = Responder(
        routes: RouteTree(table), shedding: LoadShedding(limit: configuration.maxInFlight),
        metrics: RequestMetrics(table, product: "welms", factory: operations.metrics),
        problems: ProblemWriter(product: "welms"),
        crossOrigin: configuration.crossOrigin,
        isSecure: configuration.certificate != nil,
        tracing: operations.tracer.map { RequestTracing(tracer: $0, isSecure: configuration.certificate != nil) })
    let admission = ConnectionAdmission(
        .init(
            total: configuration.maxConnections, perClient: configuration.maxConnectionsPerClient,
            reserve: configuration.reservedConnections),
        trustedProxies: configuration.rateLimits.trustedProxies)
    return HTTPConnections(
        responder: responder, limits: configuration.connection, admission: admission,
        certificate: configuration.certificate
    ).server(
        configuration: ServerConfiguration(
            address: .hostname(configuration.host, port: configuration.port),
            // While the backlog is full, the kernel drops new connections, and clients retry after 1 s and 3 s. 4,096
            // is also the kernel's limit.
            backlog: 4096),
        onServerRunning: { channel in
            // By default NIO accepts four connections per read and then serves them. Of 2,048 simultaneous connections,
            // a third then waited 4 s, health checks too. With 256 per read, the whole burst takes 5 ms.
            try? await channel.setOption(.maxMessagesPerRead, value: 256).get()
            await onRunning(channel.localAddress?.port ?? 0)
        },
        eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
        logger: logger)
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
    configuration.rateLimits.apply(to: &table)
    StreamLimit(configuration.maxStreamsPerClient, trustedProxies: configuration.rateLimits.trustedProxies).apply(
        to: &table)
    return table
}
