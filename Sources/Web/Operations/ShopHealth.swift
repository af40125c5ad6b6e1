// Reports the start and end of every fault to the error channel: database, menu, ordering, mail, acceptance and
// locked rows. It also supplies the readiness checks.
import ErrorChannel
import Foundation
import Logging
import Shop
import Synchronization

/// Converts the shop's health reports into faults, recoveries and checks.
package final class ShopHealth: Sendable {
    /// Publishes faults and recoveries.
    package let errors: ErrorBroadcast
    private let logger: Logger
    private let database = Mutex(ComponentHealth.healthy)
    private let ordering = Mutex(ComponentHealth.healthy)
    private let mail = Mutex(ComponentHealth.healthy)

    package init(errors: ErrorBroadcast, logger: Logger) { (self.errors, self.logger) = (errors, logger) }

    package var listeners: RunningShop.HealthCallbacks {
        RunningShop.HealthCallbacks(
            onDatabase: { self.databaseChanged($0) }, onMenu: { self.menuChanged($0) },
            onOrdering: { self.orderingChanged($0) },
            onMail: { self.mailChanged($0) }, onAcceptance: { self.acceptanceChanged($0) },
            onLockedRows: { self.lockedRowsChanged($0) })
    }

    /// The readiness checks of a shop. Only a missing menu is reported as failed. A stale menu or an ordering fault is
    /// degraded: all servers share the database, so a failed check would remove every server.
    package func readiness(of shop: RunningShop) -> Readiness {
        var checks = [
            ReadinessCheck("database") { [self] in
                if case .failing = database.withLock({ $0 }) { .degraded("unavailable") } else { .ok }
            },
            ReadinessCheck("ordering") { [self] in
                if case .failing = ordering.withLock({ $0 }) { .degraded("failing") } else { .ok }
            },
            ReadinessCheck("menu") {
                guard let menu = shop.menu.current else { return .failed("not read yet") }
                return menu.isStale ? .degraded("stale") : .ok
            },
        ]
        if let mailer = shop.mailer {
            checks.append(
                ReadinessCheck("mail") { [self] in
                    guard case .failing = mail.withLock({ $0 }) else { return .ok }
                    return .degraded(mailer.isAccountRejected ? "refused" : "away")
                })
        }
        // Degraded only: the primary handles all reads while replicas are unavailable.
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

    private func databaseChanged(_ health: ComponentHealth) {
        database.withLock { $0 = health }
        let reason: String? = if case .failing(let reason) = health { reason } else { nil }
        report(
            "database", reason, "database_unavailable", link: "/readyz", recovered: "Ordering works again.",
            "We can’t take orders at the moment. Please try again in a minute; your basket is saved.")
    }

    private func orderingChanged(_ health: ComponentHealth) {
        ordering.withLock { $0 = health }
        let reason: String? = if case .failing(let reason) = health { reason } else { nil }
        report(
            "ordering", reason, "ordering_unavailable", link: "/readyz", recovered: "Ordering works again.",
            "We may not be able to take orders at the moment. Please try again in a minute; your basket is saved.")
    }

    private func mailChanged(_ health: ComponentHealth) {
        mail.withLock { $0 = health }
        let reason: String? = if case .failing(let reason) = health { reason } else { nil }
        report(
            "mail", reason, "mail_unavailable", link: "/v1/home", recovered: "E-mails are sent again.",
            "We can’t send e-mails at the moment. You can still order; our e-mails will come later.")
    }

    private func acceptanceChanged(_ health: ComponentHealth) {
        let reason: String? = if case .failing(let reason) = health { reason } else { nil }
        report(
            "acceptance", reason, "acceptance_unavailable", link: "/v1/home",
            recovered: "New orders are answered in time again.",
            "It may take longer to confirm new orders at the moment. You can still order.")
    }

    private func lockedRowsChanged(_ health: ComponentHealth) {
        let reason: String? = if case .failing(let reason) = health { reason } else { nil }
        report(
            "locked_rows", reason, "being_changed", link: "/v1/menu",
            recovered: "Everything on the menu can be ordered again.",
            "Some dishes and coupons are being updated and can’t be ordered yet. You can order everything else.")
    }

    private func menuChanged(_ health: ComponentHealth) {
        let reason: String? = if case .failing(let reason) = health { reason } else { nil }
        report(
            "menu", reason, "menu_unavailable", link: "/v1/menu", recovered: "The menu is up to date again.",
            "We can’t show the newest menu at the moment. Please try again in a minute.")
    }

    /// - Parameter reason: The cause, for the log; nil if the subject is healthy.
    private func report(
        _ subject: String, _ reason: String?, _ code: String, link: String, recovered: String, _ message: String
    ) {
        let now = Int64(Date.now.timeIntervalSince1970 * 1_000_000)
        if let reason {
            let fault = SystemFault(code: code, subject: subject, link: link, message: message, logMessage: reason)
            guard errors.publish(fault, at: now) else { return }
            logger.error("fault", metadata: ["code": "\(code)", "subject": "\(subject)", "reason": "\(reason)"])
        } else if let fault = errors.recover(subject: subject, message: recovered, at: now) {
            logger.notice("recovered", metadata: ["code": "\(fault.code)", "subject": "\(subject)"])
        }
    }
}
