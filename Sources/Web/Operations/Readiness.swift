// Decides whether this server should receive guests: its phase and named checks that run on each query.
import Synchronization

/// The result of a check. A check reports known state and never waits.
package enum CheckResult: Sendable {
    case ok
    /// Something does not work as it should, but guests are served.
    case degraded(String)
    case failed(String)
}

package struct ReadinessCheck: Sendable {
    package let name: String
    /// Reports the currently known state.
    package let run: @Sendable () -> CheckResult

    package init(_ name: String, _ judge: @escaping @Sendable () -> CheckResult) {
        (self.name, self.run) = (name, judge)
    }
}

package final class Readiness: Sendable {
    private enum Phase { case starting, serving, draining }

    private let checks: [ReadinessCheck]
    private let phase = Mutex(Phase.starting)

    package init(checks: [ReadinessCheck] = []) { self.checks = checks }

    package func markStarted() { phase.withLock { if $0 == .starting { $0 = .serving } } }

    /// Marks the server as shutting down, so that load balancers send no new guests.
    package func markDraining() { phase.withLock { $0 = .draining } }

    /// The current status, `ready`, `degraded`, `failed`, `starting` or `draining`, and the result of each check.
    func report(isShuttingDown: Bool) -> (isReady: Bool, status: String, checks: [(name: String, result: CheckResult)])
    {
        let results = checks.map { ($0.name, $0.run()) }
        let phase = phase.withLock { $0 }
        if isShuttingDown || phase == .draining { return (false, "draining", results) }
        if phase == .starting { return (false, "starting", results) }
        if results.contains(where: { if case .failed = $0.1 { true } else { false } }) {
            return (false, "failed", results)
        }
        let isDegraded = results.contains { if case .degraded = $0.1 { true } else { false } }
        return (true, isDegraded ? "degraded" : "ready", results)
    }
}
