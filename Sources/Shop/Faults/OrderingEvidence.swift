// Whether guests can order, judged from how statements end and from looks that need no guest. Values only: no clock and no I/O.
// Kept by OrderingWatch, which looks, and tells the verdicts. Read next: Sources/Database/Checks/OrderingProbe.swift.
import Database

/// What is known.
///
/// A look that fails is the proof that nobody can order. But a look asks for nothing that stays, so it can't see all: a trigger that fails for
/// each order, one session of several that is broken. What statements of guests say twice, with time between, is believed as well.
struct OrderingEvidence: Sendable {
    typealias Moment = ContinuousClock.Instant

    /// How far apart two failures are that are more than one guest's bad luck.
    static let twice = Duration.seconds(1)
    /// Two that are further apart than this have nothing to do with each other.
    static let memory = Duration.seconds(30)
    /// How long nothing has to fail, where what failed comes through, until a fault is over that looks can't see.
    static let settled = Duration.seconds(3)

    /// The fault that is open, nil while all is well.
    private(set) var fault: String?
    /// The same where nobody tries.
    private let quiet: Duration
    /// What failed first, since nothing of the kind has come through or looks have explained it.
    private var failures: [Kind: Moment] = [:]
    /// The newest failure, of which statement, and whether that has come through since.
    private var lastFailure: (at: Moment, statement: String, isOver: Bool)?
    /// What the fault was believed for; nil: a look has seen it.
    private var believed: Kind?
    /// How many looks found nothing while statements went on failing.
    private var failedProbes = 0
    /// How many looks in a row lost their sessions.
    private var lostProbes = 0
    /// How many looks in a row found that PostgreSQL answers nothing.
    private var silentProbes = 0

    /// `quiet` should be longer than a statement takes to fail.
    init(quiet: Duration) { self.quiet = quiet }

    /// Failures of one kind speak for each other.
    private enum Kind: Hashable {
        /// Of the database, whoever asks.
        case database
        /// A guest's statement, in vain; one of them that comes through shows that the others were bad luck.
        case inVain(String)
    }

    /// What to do about a statement that has failed.
    enum Response: Equatable {
        case nothing
        case look
    }

    /// A statement failed. `isOrdering`: each guest who orders needs it.
    mutating func failed(_ statement: String, isOrdering: Bool, _ fault: DatabaseFault, at now: Moment) -> Response {
        switch fault.kind {
        case .locked: isOrdering ? .look : .nothing
        case .values, .timedOut, .undecodable: isOrdering ? believe(.inVain(statement), statement, fault, now) : .nothing
        case .database: believe(.database, statement, fault, now)
        case .restarting, .readOnly, .connectionLost: .look
        case .race, .unavailable, .overloaded, .cancelled, .invalidParameter: .nothing
        }
    }

    /// A statement that each guest who orders needs came through.
    mutating func succeeded(_ statement: String) {
        failures[.inVain(statement)] = nil
        if lastFailure?.statement == statement { lastFailure?.isOver = true }
    }

    /// A look that began then has found this.
    mutating func looked(_ finding: OrderingFinding, since begin: Moment, at now: Moment) {
        switch finding {
        case .unknown: silentProbes = 0
        case .silent: silentProbes += 1
        case .lost: lostProbes += 1
        case .works, .fails: (lostProbes, silentProbes) = (0, 0)
        }
        // A single one may be a pause of this process.
        let isFirst = lostProbes + silentProbes < 2
        switch finding {
        case .unknown: break
        case .lost where isFirst, .silent where isFirst: break
        case .fails(let reason), .lost(let reason), .silent(let reason):
            fault = fault ?? reason
            (believed, failedProbes) = (nil, 0)
        case .works where fault == nil: break
        case .works:
            switch believed {
            case .inVain(let statement)? where failures[.inVain(statement)] == nil: recover()
            case .some: if lastFailure.map({ now - $0.at >= ($0.isOver ? Self.settled : quiet) }) ?? true { recover() }
            // What failed while it looked may have begun before it was mended: look again, but not for ever.
            case nil where lastFailure.map({ $0.at >= begin }) ?? false:
                failedProbes += 1
                if failedProbes >= 3 { believed = .database }
            case nil: recover()
            }
        }
    }

    /// Whether the next look is due at once, because it decides: a second look that finds PostgreSQL silent is a fault.
    var isUndecided: Bool { fault == nil && silentProbes == 1 }

    /// How long to leave the database alone after a look: one that takes it down takes its other sessions along.
    var pause: Duration? { lostProbes > 1 ? .seconds(1 << min(lostProbes - 1, 3)) : nil }

    private mutating func believe(_ kind: Kind, _ statement: String, _ newest: DatabaseFault, _ now: Moment) -> Response {
        lastFailure = (now, statement, false)
        if let first = failures[kind], now - first <= Self.memory {
            if fault == nil, now - first >= Self.twice {
                fault = "\(statement): \(newest.withRemedy)"
                believed = kind
            }
        } else {
            failures[kind] = now
        }
        return fault == nil ? .look : .nothing
    }

    private mutating func recover() {
        (fault, believed, lastFailure, failedProbes) = (nil, nil, nil, 0)
        failures = [:]
    }
}
