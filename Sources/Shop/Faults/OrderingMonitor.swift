// Reports when guests can't order and when they can again, from the results of all statements and from probes.
import Database
import Logging
import ServiceLifecycle
import Synchronization

/// Runs the monitor with its database. The monitor is created first, because the database reports to it.
struct OrderingMonitorService: Service {
    let monitor: OrderingMonitor
    let database: ShopDatabase

    func run() async { await monitor.run(asking: database) }
}

/// Monitors whether orders are taken.
///
/// A probe takes a connection and some milliseconds of the database. It runs every two seconds, at once after a
/// failure, and once a second while a fault is open.
package final class OrderingMonitor: Sendable {
    private let evidence: Mutex<OrderingEvidence>
    private let configuration: DatabaseConfiguration
    private let logger: Logger
    private let onHealthChange: @Sendable (ComponentHealth) -> Void
    /// Whether the pool has a connection. If it has none, the pool reports that.
    private let hasConnection: Mutex<Bool> = Mutex(false)
    private let reported = Mutex(ComponentHealth.healthy)
    /// How many probes in a row got no connection.
    private let probesWithoutConnection = Mutex(0)
    /// The number of such probes after which the log warns. Open connections still serve guests, but a lost one can't
    /// be replaced.
    private static let failureLimit = 5
    /// Whether a statement has failed since the last probe. If so, the next probe also writes.
    private let hasFailureSinceProbe = Mutex(false)
    private let poller = Poller()

    init(
        _ configuration: DatabaseConfiguration, logger: Logger,
        onHealthChange: @escaping @Sendable (ComponentHealth) -> Void
    ) {
        (self.configuration, self.logger, self.onHealthChange) = (configuration, logger, onHealthChange)
        evidence = Mutex(OrderingEvidence(recoveryPeriodWithoutSuccess: configuration.statementTimeout + .seconds(5)))
    }

    /// Records whether the pool can serve.
    func databaseHealthChanged(_ health: ComponentHealth) { hasConnection.withLock { $0 = health == .healthy } }

    /// Records the end of a statement.
    func statementEnded(_ statement: String, _ fault: DatabaseFault?) {
        let isOrdering = ShopDatabase.orderingStatements.contains(statement)
        guard let fault else {
            if isOrdering { evidence.withLock { $0.recordSuccess(statement) } }
            return
        }
        if ShopDatabase.menuStatements.contains(statement) { return }
        let response = evidence.withLock { $0.recordFailure(statement, isOrdering: isOrdering, fault, at: .now) }
        report()
        guard response == .probe else { return }
        hasFailureSinceProbe.withLock { $0 = true }
        poller.trigger()
    }

    /// Probes until the server shuts down.
    fileprivate func run(asking database: ShopDatabase) async {
        await poller.run(isDue: { second in second > 0 && (self.isFailing || second.isMultiple(of: 2)) }) {
            await self.probe(asking: database)
            if self.evidence.withLock({ $0.needsImmediateProbe }), !Task.isCancelled { return self.poller.trigger() }
            // Failures during this pause share the next probe.
            try? await Task.sleep(for: self.evidence.withLock { $0.probePause } ?? .milliseconds(500))
        }
    }

    private var isFailing: Bool { evidence.withLock { $0.fault != nil } }

    private func probe(asking database: ShopDatabase) async {
        guard hasConnection.withLock({ $0 }) else {
            // The pool reports this. An earlier probe without a response no longer counts.
            return evidence.withLock { $0.recordProbe(.unknown("no connection is open"), since: .now, at: .now) }
        }
        let isAlarmed = hasFailureSinceProbe.withLock { isAlarmed in
            defer { isAlarmed = false }
            return isAlarmed
        }
        let begin = ContinuousClock.now
        let probe = OrderingProbe(configuration, logger: logger)
        let finding = await probe.run(writes: isAlarmed || isFailing, fallback: database)
        if Task.isCancelled { return }
        log(finding)
        evidence.withLock { $0.recordProbe(finding, since: begin, at: .now) }
        report()
    }

    private func log(_ finding: OrderingProbeResult) {
        switch finding {
        case .unknown(let reason), .unresponsive(let reason):
            let count = probesWithoutConnection.withLock { count in
                count += 1
                return count
            }
            let level: Logger.Level = count == Self.failureLimit ? .warning : .debug
            logger.log(
                level: level, "the database opens no new connection for the ordering check",
                metadata: ["reason": "\(reason)"])
        case .succeeded, .failed, .sessionLost:
            let count = probesWithoutConnection.withLock { count in
                defer { count = 0 }
                return count
            }
            if count >= Self.failureLimit { logger.notice("the database opens new connections again") }
        }
    }

    /// Reports the health if it has changed. The lock keeps the reports in order.
    private func report() {
        reported.withLock { reported in
            let health = evidence.withLock { $0.fault.map(ComponentHealth.failing) ?? .healthy }
            guard health != reported else { return }
            reported = health
            onHealthChange(health)
        }
    }
}
