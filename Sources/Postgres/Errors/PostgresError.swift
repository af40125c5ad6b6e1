// Everything that can go wrong between a statement and its rows, with what a caller has to know: may it have happened all the same?
// Thrown by PostgresPool and PostgresConnection. Read next: ServerError.swift.

/// Why a statement gave no result. Descriptions never contain parameter values, SQL text or passwords.
package enum PostgresError: Error, Sendable, Hashable {
    /// PostgreSQL refused the statement; nothing of it is in the database.
    case server(ServerError)
    /// The connection went away while the statement was in flight.
    case connectionLost(ConnectionLoss)
    /// The statement took too long. When PostgreSQL itself ended it, nothing of it is in the database; when the client gave the connection up,
    /// nobody knows.
    case timedOut(mayHaveCommitted: Bool)
    /// There was no connection within the waiting time, or the client is shutting down; nothing was sent.
    case unavailable(String)
    /// As many statements wait as may; nothing was sent.
    case overloaded
    case cancelled(mayHaveCommitted: Bool)
    /// What it was made from does not hold any more; nothing was sent.
    case outdated
    /// A parameter has no form in PostgreSQL; nothing was sent.
    case invalidParameter(String)
    /// A column is not what the program asked for. The statement itself succeeded: a write is in the database.
    case undecodable(String)

    /// Whether a write that failed so may be in the database all the same.
    package var mayHaveCommitted: Bool {
        switch self {
        case .connectionLost(let loss): loss.mayHaveCommitted
        case .timedOut(let mayHaveCommitted), .cancelled(let mayHaveCommitted): mayHaveCommitted
        case .undecodable: true
        case .server, .unavailable, .overloaded, .outdated, .invalidParameter: false
        }
    }
}

package struct ConnectionLoss: Error, Sendable, Hashable {
    /// True for a write that had been sent: nobody knows what became of it.
    package let mayHaveCommitted: Bool
    /// libpq's or the server's words.
    package let reason: String

    package init(mayHaveCommitted: Bool, reason: String) {
        (self.mayHaveCommitted, self.reason) = (mayHaveCommitted, reason)
    }
}

extension PostgresError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .server(let error): error.description
        case .connectionLost(let loss): "connection lost\(doubt): \(loss.reason)"
        case .timedOut: "the statement took too long\(doubt)"
        case .unavailable(let reason): "no connection: \(reason)"
        case .overloaded: "too many statements wait"
        case .cancelled: "cancelled\(doubt)"
        case .outdated: "outdated before it was sent"
        case .invalidParameter(let reason): "invalid parameter: \(reason)"
        case .undecodable(let reason): "undecodable result: \(reason)"
        }
    }

    private var doubt: String { mayHaveCommitted ? " (it may have been committed)" : "" }
}
