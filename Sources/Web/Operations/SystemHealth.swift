// What the database room reports about itself, on its way to everyone who should know: the error channel, the log, and /readyz.
// Made before the shop is opened, since the shop reports from its first connection on. Read next: Sources/ErrorChannel/ErrorBroadcast.swift.

import Database
import ErrorChannel
import FoundationEssentials
import Logging
import Postgres
import Synchronization

/// Tells of the database and the menu: faults and recoveries once each.
public final class SystemHealth: Sendable {
    /// Where faults and recoveries are told.
    public let errors: ErrorBroadcast
    private let logger: Logger
    private let database = Mutex(PoolHealth?.none)

    /// The health of a system that has not reported yet.
    public init(errors: ErrorBroadcast, logger: Logger) {
        (self.errors, self.logger) = (errors, logger)
    }

    /// What the shop reports to; see `Shop.open`.
    public var listeners: Shop.Listeners {
        Shop.Listeners(onDatabase: databaseChanged, onMenu: menuChanged)
    }

    /// The checks of `/readyz`. A server without its database is degraded and not failed: the menu is still there to be read.
    public func checks(of menu: CurrentMenu) -> [ReadinessCheck] {
        [
            ReadinessCheck("database") { [self] in
                switch database.withLock({ $0 }) {
                case .healthy: .ok
                case .unavailable: .degraded("no connection")
                case nil: .degraded("not connected yet")
                }
            },
            ReadinessCheck("menu") {
                guard let held = menu.held else { return .failed("not read yet") }
                return held.isStale ? .degraded("stale for \((.now - held.confirmedAt).components.seconds) s") : .ok
            },
        ]
    }

    private func databaseChanged(_ health: PoolHealth) {
        database.withLock { $0 = health }
        switch health {
        case .healthy:
            recover(subject: "database", message: "Orders can be placed again.")
        case .unavailable(let reason):
            publish(
                SystemFault(
                    code: "database_unavailable", subject: "database", link: "/readyz",
                    message: "We can't take orders at the moment. The menu is still here; try again in a few seconds.", logMessage: reason))
        }
    }

    private func menuChanged(_ health: MenuHealth) {
        switch health {
        case .healthy:
            recover(subject: "menu", message: "The menu is up to date again.")
        case .failing(let reason):
            publish(
                SystemFault(
                    code: "menu_unavailable", subject: "menu", link: "/v1/menu",
                    message: "The menu may not be up to date. Try again in a few seconds.", logMessage: reason))
        }
    }

    private func publish(_ fault: SystemFault) {
        guard errors.publish(fault, at: Self.now) else { return }
        logger.error("Fault", metadata: ["code": "\(fault.code)", "subject": "\(fault.subject)", "reason": "\(fault.logMessage)"])
    }

    private func recover(subject: String, message: String) {
        guard let fault = errors.recover(subject: subject, message: message, at: Self.now) else { return }
        logger.notice("Recovered", metadata: ["code": "\(fault.code)", "subject": "\(fault.subject)"])
    }

    /// Microseconds since 1970.
    private static var now: Int64 { Int64(Date.now.timeIntervalSince1970 * 1_000_000) }
}
