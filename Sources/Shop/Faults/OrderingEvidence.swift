// Judges whether guests can order, from the results of statements and of probes. Values only: no clock and no I/O.
import Database

/// The evidence so far, and the fault that follows from it.
///
/// A failed probe proves that guests can't order. But a probe rolls back, so it misses some faults, such as a trigger
/// that fails at commit. Therefore two failures of guests' statements, some time apart, also count.
struct OrderingEvidence: Sendable {
    typealias Moment = ContinuousClock.Instant

    /// Two failures at least this far apart are no coincidence.
    static let confirmationInterval = Duration.seconds(1)
    /// Two failures further apart than this are unrelated.
    static let failureMemory = Duration.seconds(30)
    /// For faults that probes can't detect: the time without failures after which the fault is over. Applies if the
    /// failed statement has succeeded since.
    static let recoveryPeriod = Duration.seconds(3)

    /// The open fault; nil if guests can order.
    private(set) var fault: String?
    /// The recovery period if the failed statement has not succeeded since, for example because no guest needs it.
    private let recoveryPeriodWithoutSuccess: Duration
    /// The first failure of each kind since the last success of that kind.
    private var failures: [Kind: Moment] = [:]
    /// The newest failure, its statement, and whether that statement succeeded since.
    private var lastFailure: (at: Moment, statement: String, isOver: Bool)?
    /// The kind of failures that opened the fault; nil: a probe found it.
    private var faultKind: Kind?
    /// How many probes succeeded, in a fault that a probe found, although statements failed during them.
    private var probesDuringFailures = 0
    /// How many probes in a row lost their connections.
    private var lostProbes = 0
    /// How many probes in a row got no answer from PostgreSQL.
    private var silentProbes = 0

    /// - Parameter quiet: Should be longer than a statement takes to fail.
    init(recoveryPeriodWithoutSuccess: Duration) { self.recoveryPeriodWithoutSuccess = recoveryPeriodWithoutSuccess }

    /// Groups failures that confirm each other.
    private enum Kind: Hashable {
        /// A failure of the database itself, whichever statement meets it.
        case database
        /// A failure of one statement. A success of the same statement shows that its failures were coincidences.
        case statement(String)
    }

    /// The reaction to a failed statement.
    enum Response: Equatable {
        case nothing
        case probe
    }

    /// Records a failed statement. `isOrdering`: every order needs this statement.
    mutating func recordFailure(_ statement: String, isOrdering: Bool, _ fault: DatabaseFault, at now: Moment)
        -> Response
    {
        switch fault.kind {
        case .locked: isOrdering ? .probe : .nothing
        case .rejectedValues, .timedOut, .undecodable:
            isOrdering ? confirmFailure(.statement(statement), statement, fault, now) : .nothing
        case .database: confirmFailure(.database, statement, fault, now)
        case .restarting, .readOnly, .connectionLost: .probe
        case .conflict, .unavailable, .overloaded, .cancelled, .invalidParameter: .nothing
        }
    }

    /// Records a success of a statement that every order needs.
    mutating func recordSuccess(_ statement: String) {
        failures[.statement(statement)] = nil
        if lastFailure?.statement == statement { lastFailure?.isOver = true }
    }

    /// Records the finding of a probe that began at `begin`.
    mutating func recordProbe(_ finding: OrderingProbeResult, since begin: Moment, at now: Moment) {
        switch finding {
        case .unknown: silentProbes = 0
        case .unresponsive: silentProbes += 1
        case .sessionLost: lostProbes += 1
        case .succeeded, .failed: (lostProbes, silentProbes) = (0, 0)
        }
        // A single lost or missing response may result from a pause of this process.
        let isFirst = lostProbes + silentProbes < 2
        switch finding {
        case .unknown: break
        case .sessionLost where isFirst, .unresponsive where isFirst: break
        case .failed(let reason), .sessionLost(let reason), .unresponsive(let reason):
            fault = fault ?? reason
            (faultKind, probesDuringFailures) = (nil, 0)
        case .succeeded where fault == nil: break
        case .succeeded:
            switch faultKind {
            case .statement(let statement)? where failures[.statement(statement)] == nil: recover()
            case .some:
                if lastFailure.map({ now - $0.at >= ($0.isOver ? Self.recoveryPeriod : recoveryPeriodWithoutSuccess) })
                    ?? true
                {
                    recover()
                }
            // Failures during the probe may come from statements that began before the repair. Probes again, at most
            // three times.
            case nil where lastFailure.map({ $0.at >= begin }) ?? false:
                probesDuringFailures += 1
                if probesDuringFailures >= 3 { faultKind = .database }
            case nil: recover()
            }
        }
    }

    /// Whether the next probe is due at once: a second probe without an answer is a fault.
    var needsImmediateProbe: Bool { fault == nil && silentProbes == 1 }

    /// How long to pause after a probe. Backs off, because a probe that crashes the server ends the other connections
    /// too.
    var probePause: Duration? { lostProbes > 1 ? .seconds(1 << min(lostProbes - 1, 3)) : nil }

    private mutating func confirmFailure(_ kind: Kind, _ statement: String, _ newest: DatabaseFault, _ now: Moment)
        -> Response
    {
        lastFailure = (now, statement, false)
        if let first = failures[kind], now - first <= Self.failureMemory {
            if fault == nil, now - first >= Self.confirmationInterval {
                fault = "\(statement): \(newest.descriptionWithRemedy)"
                faultKind = kind
            }
        } else {
            failures[kind] = now
        }
        return fault == nil ? .probe : .nothing
    }

    private mutating func recover() {
        (fault, faultKind, lastFailure, probesDuringFailures) = (nil, nil, nil, 0)
        failures = [:]
    }
}
