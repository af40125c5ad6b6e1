// Assembles the complete server of a shop: its routes, and its services in start order.
import ErrorChannel
import HTTPServing
import Logging
import Pages
import ServiceLifecycle
import Shop
import Tracing

/// The services of a server for `shop`: the first starts first and stops last.
/// - Parameters:
///   - tracer: Records request spans; the same tracer that the shop was opened with.
///   - onRunning: Called with the port once the server listens and the first load of the menu has succeeded or
///     failed, or has taken a second.
package func shopServices(
    _ configuration: WebConfiguration, files: ShippedFiles, shop: RunningShop, health: ShopHealth,
    metrics: ShopMetrics = ShopMetrics(),
    tracer: (any Tracer)? = nil, logger: Logger, onRunning: @escaping @Sendable (Int) async -> Void = { _ in }
) -> [any Service] {
    let readiness = health.readiness(of: shop)
    let operations = OperationsServices(
        errorChannel: health.errors, readiness: readiness, metrics: metrics.registry, tracer: tracer)
    let application = buildApplication(
        configuration, operations: operations, features: shopRoutes(configuration, files, shop, health, metrics),
        logger: logger
    ) { port in
        // Connections wait for the menu, because clients request it as soon as the server listens. After the limit,
        // which a menu of 10,000 items may exceed, the menu and /readyz return 503 until it is loaded.
        await shop.menu.waitForFirstPoll(within: .seconds(1))
        readiness.markStarted()
        await onRunning(port)
    }
    var services: [any Service] = shop.services
    if let port = configuration.operationsPort {
        // Starts before the application and stops after it, so that /readyz and /metrics respond until the shutdown
        // ends.
        let routes = MetricsRoutes(isLocalOnly: false) { metrics.text(of: shop, health.errors) }
        services.append(
            operationsListener(configuration, port: port, operations: operations, metrics: routes, logger: logger))
    }
    services.append(application)
    guard configuration.drainNotice > .zero else { return services }
    return services + [Draining(readiness: readiness, notice: configuration.drainNotice)]
}

/// The route collections of the shop, besides the operations routes that every server has.
func shopRoutes(
    _ configuration: WebConfiguration, _ files: ShippedFiles, _ shop: RunningShop, _ health: ShopHealth,
    _ metrics: ShopMetrics
) -> [any Routes] {
    let authentication = StaffAuthentication(
        token: configuration.staffToken, members: shop.members,
        wrongTokens: StaffTokenGuessLimit(
            configuration.rateLimits.staffTokens, trustedProxies: configuration.server.trustedProxies))
    let features: [any Routes] = [
        MenuRoutes(menu: shop.menu),
        TimesRoutes(shop),
        files.pictures,
        PhotographRoutes(shop),
        PageRoutes(files.pages) { try await authentication.mayHaveToken() },
        BasketRoutes(shop, shape: files.description.responseFormatID),
        CheckoutRoutes(
            shop, couponGuesses: configuration.rateLimits.coupons, trustedProxies: configuration.server.trustedProxies),
        OrderRoutes(shop, heartbeat: configuration.heartbeat),
        StaffPeopleRoutes(shop: shop, authentication: authentication),
        StaffRoutes(
            shop: shop, authentication: authentication, errors: health.errors, heartbeat: configuration.staffHeartbeat),
        StaffShopRoutes(shop: shop, authentication: authentication),
        StaffPhotographRoutes(shop: shop, authentication: authentication),
        files.description,
    ]
    if configuration.operationsPort != nil { return features }
    return features + [MetricsRoutes(isLocalOnly: true) { metrics.text(of: shop, health.errors) }]
}
