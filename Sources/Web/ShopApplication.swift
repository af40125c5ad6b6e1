// The whole server on a shop: its routes, and the services that have to run, in order. Used by `welms serve` and by the tests' server.
// Read next: Application.swift, then the folder of a feature.
import ErrorChannel
import Logging
import ServiceLifecycle
import Shop
import Tracing

/// The services of a server that answers for `shop`, the first to start first and to stop last.
/// - Parameters:
///   - tracer: Records the spans of requests: the same that the shop was opened with.
///   - onRunning: Called once it listens and has read the menu, or couldn't; with the port.
package func shopServices(
    _ configuration: WebConfiguration, files: ShippedFiles, shop: RunningShop, health: ShopHealth, metrics: ShopMetrics = ShopMetrics(),
    tracer: (any Tracer)? = nil, logger: Logger, onRunning: @escaping @Sendable (Int) async -> Void = { _ in }
) -> [any Service] {
    let readiness = health.readiness(of: shop)
    let operations = OperationsServices(errors: health.errors, readiness: readiness, metrics: metrics.registry, tracer: tracer)
    let application = buildApplication(
        configuration, operations: operations, features: shopRoutes(configuration, files, shop, health, metrics), logger: logger
    ) { port in
        // Who is told where the server listens will ask for the menu next.
        await shop.menu.firstLook(within: .seconds(1))
        readiness.started()
        await onRunning(port)
    }
    var services: [any Service] = shop.services
    if let port = configuration.operationsPort {
        // Before the application, so that it tells of the shutdown to its end.
        let routes = MetricsRoutes(isForThisMachineOnly: false) { metrics.text(of: shop, health.errors) }
        services.append(operationsListener(configuration, port: port, operations: operations, metrics: routes, logger: logger))
    }
    services.append(application)
    guard configuration.drainNotice > .zero else { return services }
    return services + [Draining(readiness: readiness, notice: configuration.drainNotice)]
}

/// The route collections of the shop, beside those of operations that every server has.
func shopRoutes(
    _ configuration: WebConfiguration, _ files: ShippedFiles, _ shop: RunningShop, _ health: ShopHealth, _ metrics: ShopMetrics
) -> [any Routes] {
    let door = StaffDoor(
        token: configuration.staffToken, members: shop.members, wrongTokens: WrongStaffTokens(configuration.rateLimits))
    let features: [any Routes] = [
        MenuRoutes(menu: shop.menu),
        TimesRoutes(shop),
        files.pictures,
        PhotographRoutes(shop),
        files.pages,
        StaffPage(files.pages, door: door),
        BasketRoutes(shop, shape: files.description.shape),
        CheckoutRoutes(shop, limits: configuration.rateLimits),
        OrderRoutes(shop, heartbeat: configuration.heartbeat),
        StaffPeopleRoutes(shop: shop, door: door),
        StaffRoutes(shop: shop, door: door, errors: health.errors, heartbeat: configuration.staffHeartbeat),
        StaffShopRoutes(shop: shop, door: door),
        StaffPhotographRoutes(shop: shop, door: door),
        files.description,
    ]
    if configuration.operationsPort != nil { return features }
    return features + [MetricsRoutes(isForThisMachineOnly: true) { metrics.text(of: shop, health.errors) }]
}
