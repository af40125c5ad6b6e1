// The whole shop over HTTP: every feature's routes on an open shop, with the services it runs on, in the order of their start.
// Called by the program and by the tests' shop. Read next: Application.swift, and Sources/Database/Shop.swift.

import Database
import ErrorChannel
import Hummingbird
import Logging
import ServiceLifecycle

/// The services of a shop that is open to guests: the shop's own, then the HTTP server; they stop in the opposite order.
/// - Parameters:
///   - health: The one whose listeners `shop` was opened with.
///   - onRunning: Called once the server listens, with the port.
public func shopServices(
    _ configuration: WebConfiguration,
    shop: Shop,
    health: SystemHealth,
    logger: Logger,
    onRunning: @escaping @Sendable (Int) async -> Void = { _ in }
) throws(Resources.Missing) -> [any Service] {
    let readiness = Readiness(checks: health.checks(of: shop.menu))
    let features: [any RouteCollection] = [
        MenuRoutes(menu: shop.menu),
        try Pictures(),
    ]
    let application = buildApplication(
        configuration, operations: OperationsServices(errors: health.errors, readiness: readiness), features: features, logger: logger
    ) { port in
        readiness.started()
        await onRunning(port)
    }
    return shop.services + [application]
}
