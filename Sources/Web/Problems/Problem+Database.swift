// Converts the shop's faults to problems: retryable ones are 503, all others an opaque 500.
import HTTPServing
import HTTPTypes
import Logging
import Shop

extension Problem {
    /// The database is unreachable; nothing was changed.
    static let databaseUnavailable = Problem(
        .serviceUnavailable, "database_unavailable",
        "This is not possible right now, and nothing was changed. Please try again in a moment.",
        hint: "The database can’t be reached.", headers: [.retryAfter: "2"])

    /// The database is reachable but cannot execute the statement now; nothing was changed.
    static let databaseRejected = Problem(
        .serviceUnavailable, "database_unavailable",
        "This can’t be done right now, and nothing was changed. Please try again in a moment.",
        hint: "The database can’t execute this now: it lacks memory or disk, the rows are locked, or it needs repair.",
        headers: [.retryAfter: "2"])

    /// Another open transaction has locked a required row; nothing was changed.
    static let beingChanged = Problem(
        .serviceUnavailable, "being_changed",
        "This is being changed right now, so we could not save your request. Please try again in a moment.",
        hint: "A count, a coupon, the order or the menu is locked by an SQL transaction that is still open.",
        headers: [.retryAfter: "1"])

    /// The connection to the database was lost during a change, so the result is unknown.
    static let outcomeUnknown = Problem(
        .serviceUnavailable, "database_unavailable",
        "We don’t know yet whether this was saved. Please check in a moment.",
        hint: """
            The connection to the database was lost before it confirmed the change. Read the basket again; a checkout \
            with the same Idempotency-Key orders at most once.
            """, headers: [.retryAfter: "2"])
}

extension ShopFault: TemporaryFault {
    /// The pool reports an unavailable database once to the log and the error channel, not per request. A rejected
    /// statement is logged with the database's reason. OrderingMonitor reports once when nobody can order.
    package func temporaryProblem(_ context: RequestContext) -> Problem? {
        if case .databaseFailed(let reason) = self {
            context.logger.warning("The database rejected a request", metadata: ["error": "\(reason)"])
        }
        return retryableProblem
    }

    var retryableProblem: Problem? {
        switch self {
        case .unavailable: .databaseUnavailable
        case .outcomeUnknown: .outcomeUnknown
        case .databaseFailed: .databaseRejected
        case .rowLocked: .beingChanged
        case .overloaded, .timedOutInQueue, .tooManyConflicts, .shuttingDown: .overloaded()
        case .failed: nil
        }
    }
}
