// Whether this server should be sent guests: its phase, and named checks that are asked each time.
// Told by the program when the start is done; asked by GET /readyz.
import Synchronization

/// What one check found. It must not wait for anything: it reports what is known.
package enum CheckResult: Sendable {
    case ok
    /// Something is worse than it should be, but guests are served.
    case degraded(String)
    case failed(String)
}

package struct ReadinessCheck: Sendable {
    package let name: String
    /// Reports what is known at this moment.
    package let judge: @Sendable () -> CheckResult

    package init(_ name: String, _ judge: @escaping @Sendable () -> CheckResult) {
        (self.name, self.judge) = (name, judge)
    }
}

package final class Readiness: Sendable {
    private enum Phase { case starting, serving, draining }

    private let checks: [ReadinessCheck]
    private let phase = Mutex(Phase.starting)

    package init(checks: [ReadinessCheck] = []) { self.checks = checks }

    package func started() { phase.withLock { if $0 == .starting { $0 = .serving } } }

    /// The end has begun: no new guests, please.
    package func drain() { phase.withLock { $0 = .draining } }

    /// The answer of this moment: `ready`, `degraded`, `failed`, `starting` or `draining`, and each check.
    func judge(isShuttingDown: Bool) -> (isReady: Bool, status: String, checks: [(name: String, result: CheckResult)]) {
        let results = checks.map { ($0.name, $0.judge()) }
        let phase = phase.withLock { $0 }
        if isShuttingDown || phase == .draining { return (false, "draining", results) }
        if phase == .starting { return (false, "starting", results) }
        if results.contains(where: { if case .failed = $0.1 { true } else { false } }) { return (false, "failed", results) }
        let isDegraded = results.contains { if case .degraded = $0.1 { true } else { false } }
        return (true, isDegraded ? "degraded" : "ready", results)
    }
}
