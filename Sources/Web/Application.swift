// Puts the server together: routes, limits, listener. Called by the program and by the tests' server.
// Read next: Serving/Responder.swift, the way of every request.
import ErrorChannel
import HTTPTypes
import HummingbirdCore
import Logging
import Metrics
import NIOCore
import NIOPosix
import ServiceLifecycle
import Tracing

/// What the routes of operations need, which every server has.
package struct OperationsServices: Sendable {
    package let errors: ErrorBroadcast
    package let readiness: Readiness
    package let metrics: any MetricsFactory
    /// What records spans; nil: nobody traces.
    package let tracer: (any Tracer)?

    /// These; without a factory nothing is counted, and without a tracer nothing is traced.
    package init(
        errors: ErrorBroadcast, readiness: Readiness, metrics: any MetricsFactory = NOOPMetricsHandler.instance, tracer: (any Tracer)? = nil
    ) {
        (self.errors, self.readiness, self.metrics, self.tracer) = (errors, readiness, metrics, tracer)
    }
}

/// The whole server as a service: it listens when run, and on graceful shutdown finishes what is in flight and ends streams.
/// - Parameters:
///   - features: The route collections beside those of operations.
///   - onRunning: Called once it listens, with the port.
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
        behind: configuration.rateLimits.trustedProxies)
    return HTTPConnections(
        responder: responder, limits: configuration.connection, admission: admission, certificate: configuration.certificate
    ).server(
        configuration: ServerConfiguration(
            address: .hostname(configuration.host, port: configuration.port),
            // A crowd that comes at once: whom the backlog has no room for asks again after a second, then three (and the kernel's limit is 4,096).
            backlog: 4096),
        onServerRunning: { channel in
            // NIO takes in four connections and then looks after those that it has: of 2,048 that came at once, a third waited four seconds
            // until the others had nothing more to ask, and a health check with them. As many at once cost 5 ms.
            try? await channel.setOption(.maxMessagesPerRead, value: 256).get()
            await onRunning(channel.localAddress?.port ?? 0)
        },
        eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
        logger: logger)
}

/// All routes of a server.
func routeTable(_ configuration: WebConfiguration, _ operations: OperationsServices, _ features: [any Routes]) -> RouteTable {
    var table = RouteTable(
        features + [
            HealthRoutes(readiness: operations.readiness, version: configuration.version),
            ErrorRoutes(broadcast: operations.errors, heartbeat: configuration.heartbeat),
        ])
    configuration.rateLimits.apply(to: &table)
    StreamLimit(configuration.maxStreamsPerClient, behind: configuration.rateLimits.trustedProxies).apply(to: &table)
    return table
}
