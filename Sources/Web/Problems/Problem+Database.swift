// The faults of the database and of its queues, as HTTP: what may be tried again is 503, all else stays an opaque 500.
// Asked by ProblemResponse, which logs what is not answered here.

import Database
import HTTPTypes
import Postgres

extension Problem {
    /// The database is away; nothing was changed.
    static var databaseUnavailable: Problem {
        Problem(
            .serviceUnavailable, "database_unavailable", "The database can't be reached. Nothing was changed; try again in a moment.",
            headers: [.retryAfter: "2"])
    }

    /// The database is there and can't do it now; nothing was changed.
    static var databaseRefuses: Problem {
        Problem(
            .serviceUnavailable, "database_unavailable",
            "The database can't do this right now: it lacks memory or disk, or is busy with the same rows. Nothing was changed; try again in a moment.",
            headers: [.retryAfter: "2"])
    }

    /// The database went away in the middle of a change.
    static var databaseLost: Problem {
        Problem(
            .serviceUnavailable, "database_unavailable",
            """
            The database went away before it could say whether this was done. Ask again in a moment: a basket shows it, and a \
            checkout with the same Idempotency-Key orders at most once.
            """, headers: [.retryAfter: "2"])
    }
}

extension PostgresError {
    /// The answer to a fault that passes by itself; nil for one that somebody has to look into.
    var passingProblem: Problem? {
        switch self {
        case .unavailable: .databaseUnavailable
        case .connectionLost, .timedOut: mayHaveCommitted ? .databaseLost : .databaseUnavailable
        case .overloaded, .cancelled(mayHaveCommitted: false): .overloaded()
        case .cancelled(mayHaveCommitted: true): .databaseLost
        // Classes and codes of https://www.postgresql.org/docs/current/errcodes-appendix.html: a server that stops, starts or has
        // become a replica (57P, 25006); a transaction that lost against another (40), no resources left (53), a row that is held (55P03).
        case .server(let error) where ["57P", "25006"].contains(where: error.sqlState.hasPrefix): .databaseUnavailable
        case .server(let error) where ["40", "53", "55P03"].contains(where: error.sqlState.hasPrefix): .databaseRefuses
        case .server: nil
        case .invalidParameter, .undecodable: nil
        }
    }
}

extension QueueRefusal: ProblemConvertible {
    /// 503: nothing of the job has happened, or nobody knows.
    public var problem: Problem { self == .undecided ? .databaseLost : .overloaded() }
}

/// A fault that wraps the one that is to be answered.
protocol Wrapping: Error {
    var cause: any Error { get }
}

extension BasketFault: Wrapping {
    var cause: any Error {
        switch self {
        case .database(let error): error
        case .refused(let refusal): refusal
        }
    }
}

extension CheckoutFault: Wrapping {
    var cause: any Error {
        switch self {
        case .database(let error): error
        case .refused(let refusal): refusal
        }
    }
}
