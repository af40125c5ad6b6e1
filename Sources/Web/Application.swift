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
    package let errors: ErrorBroadcast
    package let readiness: Readiness
    package let metrics: any MetricsFactory
    /// Records spans; nil disables tracing.
    package let tracer: (any Tracer)?

    /// Without a factory no metrics are recorded, and without a tracer no spans.
    package init(
        errors: ErrorBroadcast, readiness: Readiness, metrics: any MetricsFactory = NOOPMetricsHandler.instance,
        tracer: (any Tracer)? = nil
    ) {
        (self.errors, self.readiness, self.metrics, self.tracer) = (errors, readiness, metrics, tracer)
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
        metrics: RequestMetrics(table, factory: operations.metrics), crossOrigin: configuration.crossOrigin,
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
            // A full backlog drops new connections. Clients retry after 1 s, then 3 s. The kernel's limit is also
            // 4,096.
            backlog: 4096),
        onServerRunning: { channel in
            // NIO accepts four connections per read by default and then serves them. Of 2,048 simultaneous
            // connections a third waited 4 s, health checks included. With 256 per read the whole burst costs 5 ms.
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
            ErrorRoutes(broadcast: operations.errors, heartbeat: configuration.heartbeat),
        ])
    configuration.rateLimits.apply(to: &table)
    StreamLimit(configuration.maxStreamsPerClient, trustedProxies: configuration.rateLimits.trustedProxies).apply(
        to: &table)
    return table
}
