// The faults of the database and of its queues, as HTTP: what may be tried again is 503, all else stays an opaque 500.
// Asked by ProblemResponse, which logs what is not answered here.

import Database
import HTTPTypes
import Postgres

extension Problem {
    /// The database is away; nothing was changed.
    static var databaseUnavailable: Problem {
        Problem(
            .serviceUnavailable, "database_unavailable",
            "We can't reach our books right now, and nothing was changed. Please try again in a moment.",
            hint: "The database can't be reached.", headers: [.retryAfter: "2"])
    }

    /// The database is there and can't do it now; nothing was changed.
    static var databaseRefuses: Problem {
        Problem(
            .serviceUnavailable, "database_unavailable",
            "This can't be done right now, and nothing was changed. Please try again in a moment.",
            hint: "The database can't do this now: it lacks memory or disk, is busy with the same rows, or has to be mended.",
            headers: [.retryAfter: "2"])
    }

    /// The database went away in the middle of a change.
    static var databaseLost: Problem {
        Problem(
            .serviceUnavailable, "database_unavailable",
            "Our answer was lost on the way. Please look again in a moment whether this was done.",
            hint: """
                The database went away before it could say whether this was done. Ask again: a basket shows it, and a checkout with the same \
                Idempotency-Key orders at most once.
                """, headers: [.retryAfter: "2"])
    }
}

extension PostgresError {
    /// The answer to a fault that is not the guest's and will be over: by itself, or once somebody has mended what the error channel tells of.
    /// Nil for one that is about what was asked.
    var passingProblem: Problem? {
        switch self {
        case .unavailable: .databaseUnavailable
        case .connectionLost, .timedOut: mayHaveCommitted ? .databaseLost : .databaseUnavailable
        case .overloaded, .cancelled(mayHaveCommitted: false): .overloaded()
        case .cancelled(mayHaveCommitted: true): .databaseLost
        case .server(let error):
            switch error.cause {
            case .absence: .databaseUnavailable
            case .race, .heldRow, .database: .databaseRefuses
            case .values: nil
            }
        case .invalidParameter, .undecodable: nil
        }
    }
}

extension QueueRefusal: ProblemConvertible {
    /// 503: nothing of the job has happened, or nobody knows.
    package var problem: Problem { self == .undecided ? .databaseLost : .overloaded() }
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
