// What the shop's database, its menu and its taking of orders are like, told to the error channel and to the readiness check.
// Made before the shop is opened; its listeners are told of every change. Used by ShopApplication.
import ErrorChannel
import Foundation
import Logging
import Shop
import Synchronization

/// Turns the shop's own words about its health into faults, recoveries and checks.
package final class ShopHealth: Sendable {
    /// Where everyone hears of it.
    package let errors: ErrorBroadcast
    private let logger: Logger
    private let database = Mutex(Health.healthy)
    private let ordering = Mutex(Health.healthy)

    /// A health nobody has spoken of yet.
    package init(errors: ErrorBroadcast, logger: Logger) {
        (self.errors, self.logger) = (errors, logger)
    }

    /// What the shop tells.
    package var listeners: RunningShop.Listeners {
        RunningShop.Listeners(onDatabase: { self.databaseIs($0) }, onMenu: { self.menuIs($0) }, onOrdering: { self.orderingIs($0) })
    }

    /// The checks of a shop: without a menu it can't serve; with a stale one, or where nobody can order, it is better than nothing: the others
    /// have the same database, and none of them would be left.
    package func readiness(of shop: RunningShop) -> Readiness {
        var checks = [
            ReadinessCheck("database") { [self] in
                if case .failing = database.withLock({ $0 }) { .degraded("unavailable") } else { .ok }
            },
            ReadinessCheck("ordering") { [self] in
                if case .failing = ordering.withLock({ $0 }) { .degraded("failing") } else { .ok }
            },
            ReadinessCheck("menu") {
                guard let held = shop.menu.held else { return .failed("not read yet") }
                return held.isStale ? .degraded("stale") : .ok
            },
        ]
        // Without them the primary does all the work, which is worse and enough.
        if !shop.replicas.conditions.isEmpty {
            checks.append(
                ReadinessCheck("replicas") {
                    let conditions = shop.replicas.conditions
                    if conditions.allSatisfy(\.isInUse) { return .ok }
                    return .degraded(conditions.enumerated().map { "replica \($0 + 1): \($1)" }.joined(separator: ", "))
                })
        }
        return Readiness(checks: checks)
    }

    private func databaseIs(_ health: Health) {
        database.withLock { $0 = health }
        switch health {
        case .healthy: recover("database", "Ordering works again.")
        case .failing(let reason):
            publish(
                SystemFault(
                    code: "database_unavailable", subject: "database", link: "/readyz",
                    message: "We can't take orders at the moment. Please try again in a minute; nothing you did is lost.",
                    logMessage: reason))
        }
    }

    private func orderingIs(_ health: Health) {
        ordering.withLock { $0 = health }
        switch health {
        case .healthy: recover("ordering", "Ordering works again.")
        case .failing(let reason):
            publish(
                SystemFault(
                    code: "ordering_unavailable", subject: "ordering", link: "/readyz",
                    message: "We may not be able to take orders at the moment. Please try again in a minute; nothing you did is lost.",
                    logMessage: reason))
        }
    }

    private func menuIs(_ health: Health) {
        switch health {
        case .healthy: recover("menu", "The menu is up to date again.")
        case .failing(let reason):
            publish(
                SystemFault(
                    code: "menu_unavailable", subject: "menu", link: "/v1/menu",
                    message: "We can't show the newest menu at the moment. Please try again in a minute.", logMessage: reason))
        }
    }

    private func publish(_ fault: SystemFault) {
        guard errors.publish(fault, at: now) else { return }
        logger.error("fault", metadata: ["code": "\(fault.code)", "subject": "\(fault.subject)", "reason": "\(fault.logMessage)"])
    }

    private func recover(_ subject: String, _ message: String) {
        guard let fault = errors.recover(subject: subject, message: message, at: now) else { return }
        logger.notice("recovered", metadata: ["code": "\(fault.code)", "subject": "\(subject)"])
    }

    /// Microseconds since 1970.
    private var now: Int64 { Int64(Date.now.timeIntervalSince1970 * 1_000_000) }
}
