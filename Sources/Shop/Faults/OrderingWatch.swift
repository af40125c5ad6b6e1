// Tells when guests can't order, and when they can again: hears how each statement of the shop ends, and looks for itself (Database's OrderingProbe).
// OrderingEvidence.swift decides.
import Database
import Logging
import ServiceLifecycle
import Synchronization

/// Runs the watch of a database's connections. The watch can't have the database itself, which reports to it.
struct OrderingWatchService: Service {
    let watch: OrderingWatch
    let database: ShopDatabase

    func run() async { await watch.run(asking: database) }
}

/// Watches whether orders are taken.
///
/// A look takes a session and some milliseconds of the database. All is well: one every two seconds, so that what nobody has met yet is told in
/// time as well. Something failed: one at once. A fault is open: one each second, until it is over.
package final class OrderingWatch: Sendable {
    private let evidence: Mutex<OrderingEvidence>
    private let configuration: DatabaseConfiguration
    private let logger: Logger
    private let onHealthChange: @Sendable (Health) -> Void
    /// Whether the pool has a session: if it has none it is the pool that tells.
    private let isServed: Mutex<Bool> = Mutex(false)
    private let reported = Mutex(Health.healthy)
    /// How many looks in a row had no session.
    private let looksWithoutSession = Mutex(0)
    /// So many are told in the log: the sessions that there are serve guests, and who loses one gets no other.
    private static let patience = 5
    /// Whether something has failed since the last look: the next one is to write.
    private let isAlarmed = Mutex(false)
    private let poller = Poller()

    init(
        _ configuration: DatabaseConfiguration, logger: Logger, onHealthChange: @escaping @Sendable (Health) -> Void
    ) {
        (self.configuration, self.logger, self.onHealthChange) = (configuration, logger, onHealthChange)
        evidence = Mutex(OrderingEvidence(quiet: configuration.statementTimeout + .seconds(5)))
    }

    /// The pool can serve, or can't.
    func databaseChanged(_ health: Health) { isServed.withLock { $0 = health == .healthy } }

    /// A statement of the shop has ended.
    func ended(_ statement: String, _ fault: DatabaseFault?) {
        let isOrdering = ShopDatabase.orderingStatements.contains(statement)
        guard let fault else {
            if isOrdering { evidence.withLock { $0.succeeded(statement) } }
            return
        }
        if ShopDatabase.menuStatements.contains(statement) { return }
        let response = evidence.withLock { $0.failed(statement, isOrdering: isOrdering, fault, at: .now) }
        report()
        guard response == .look else { return }
        isAlarmed.withLock { $0 = true }
        poller.ask()
    }

    /// Looks until the server shuts down.
    fileprivate func run(asking database: ShopDatabase) async {
        await poller.run(isDue: { second in second > 0 && (self.isFailing || second.isMultiple(of: 2)) }) {
            await self.probe(asking: database)
            if self.evidence.withLock({ $0.isUndecided }), !Task.isCancelled { return self.poller.ask() }
            // Those who fail meanwhile share the next one.
            try? await Task.sleep(for: self.evidence.withLock { $0.pause } ?? .milliseconds(500))
        }
    }

    private var isFailing: Bool { evidence.withLock { $0.fault != nil } }

    private func probe(asking database: ShopDatabase) async {
        guard isServed.withLock({ $0 }) else {
            // The pool reports this. The finding of an earlier probe does not count any more.
            return evidence.withLock { $0.looked(.unknown("no connection is open"), since: .now, at: .now) }
        }
        let isAlarmed = isAlarmed.withLock { isAlarmed in
            defer { isAlarmed = false }
            return isAlarmed
        }
        let begin = ContinuousClock.now
        let probe = OrderingProbe(configuration, logger: logger)
        let finding = await probe.finding(writes: isAlarmed || isFailing, asking: database)
        if Task.isCancelled { return }
        log(finding)
        evidence.withLock { $0.looked(finding, since: begin, at: .now) }
        report()
    }

    private func log(_ finding: OrderingFinding) {
        switch finding {
        case .unknown(let reason), .silent(let reason):
            let count = looksWithoutSession.withLock { count in
                count += 1
                return count
            }
            let level: Logger.Level = count == Self.patience ? .warning : .debug
            logger.log(level: level, "the database gives no new session", metadata: ["reason": "\(reason)"])
        case .works, .fails, .lost:
            let count = looksWithoutSession.withLock { count in
                defer { count = 0 }
                return count
            }
            if count >= Self.patience { logger.notice("the database gives new sessions again") }
        }
    }

    /// Tells the health if it has changed. The lock keeps the reports in order.
    private func report() {
        reported.withLock { reported in
            let health = evidence.withLock { $0.fault.map(Health.failing) ?? .healthy }
            guard health != reported else { return }
            reported = health
            onHealthChange(health)
        }
    }
}
