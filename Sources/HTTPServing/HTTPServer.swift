// Assembles an HTTP server from its routes, limits and listener.
import HTTPTypes
import HummingbirdCore
import Logging
import Metrics
import NIOCore
import NIOPosix
import ServiceLifecycle
import Tracing

/// Builds a server as a service. On graceful shutdown it completes requests in flight and ends event streams.
/// - Parameters:
///   - metrics: Records requests and problems; by default nothing is recorded.
///   - tracer: Records a span per request; nil disables tracing.
///   - onRunning: Called with the port once the server listens.
package func buildHTTPServer(
    _ configuration: HTTPServerConfiguration, routes: RouteTable,
    metrics: any MetricsFactory = NOOPMetricsHandler.instance, tracer: (any Tracer)? = nil, logger: Logger,
    onRunning: @escaping @Sendable (Int) async -> Void = { _ in }
) -> any Service {
    var routes = routes
    StreamLimit(configuration.maxStreamsPerClient, trustedProxies: configuration.trustedProxies).apply(to: &routes)
    let isSecure = configuration.certificate != nil
    let responder = Responder(
        routes: RouteTree(routes), shedding: LoadShedding(limit: configuration.maxInFlight),
        metrics: RequestMetrics(routes, product: configuration.product, factory: metrics),
        problems: ProblemWriter(product: configuration.product), crossOrigin: configuration.crossOrigin,
        isSecure: isSecure, tracing: tracer.map { RequestTracing(tracer: $0, isSecure: isSecure) })
    let admission = ConnectionAdmission(
        .init(
            total: configuration.maxConnections, perClient: configuration.maxConnectionsPerClient,
            reserve: configuration.reservedConnections),
        trustedProxies: configuration.trustedProxies)
    return HTTPConnections(
        responder: responder, limits: configuration.connection, admission: admission,
        certificate: configuration.certificate
    ).server(
        configuration: ServerConfiguration(
            address: .hostname(configuration.host, port: configuration.port), backlog: configuration.backlog),
        onServerRunning: { channel in
            // By default NIO accepts four connections per read and then serves them. Of 2,048 simultaneous connections,
            // a third then waited 4 s, health checks too. With 256 per read, the whole burst takes 5 ms.
            try? await channel.setOption(.maxMessagesPerRead, value: 256).get()
            await onRunning(channel.localAddress?.port ?? 0)
        },
        eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
        logger: logger)
}
