// The errors of a statement. Each tells whether the statement may have been committed nevertheless.

/// Why a statement has no result. Descriptions never contain parameter values, SQL text or passwords.
package enum PostgresError: Error, Sendable, Hashable {
    /// PostgreSQL rejected the statement and rolled it back.
    case server(ServerError)
    /// The connection was lost while the statement was in flight.
    case connectionLost(InterruptedStatement)
    /// The statement took too long. If PostgreSQL ended it, it was rolled back. If the client abandoned the connection,
    /// the outcome is unknown.
    case timedOut(mayHaveCommitted: Bool)
    /// No connection was available in time, or the client is shutting down. Nothing was sent.
    case unavailable(String)
    /// The queue of waiting statements is full. Nothing was sent.
    case overloaded
    /// The task was cancelled.
    case cancelled(mayHaveCommitted: Bool)
    /// The data from which the statement was built is no longer valid. Nothing was sent.
    case outdated
    /// PostgreSQL cannot represent a parameter. Nothing was sent.
    case invalidParameter(String)
    /// A column cannot be decoded as requested. The statement itself succeeded: a write is committed.
    case undecodable(String)

    /// Whether a write with this error may have been committed nevertheless.
    package var mayHaveCommitted: Bool {
        switch self {
        case .connectionLost(let loss): loss.mayHaveCommitted
        case .timedOut(let mayHaveCommitted), .cancelled(let mayHaveCommitted): mayHaveCommitted
        case .undecodable: true
        case .server, .unavailable, .overloaded, .outdated, .invalidParameter: false
        }
    }
}

/// The loss of a connection while a statement was in flight.
package struct InterruptedStatement: Error, Sendable, Hashable {
    /// Whether a write had been sent, so that its outcome is unknown.
    package let mayHaveCommitted: Bool
    /// libpq's or the server's message.
    package let reason: String

    /// Creates the error.
    package init(mayHaveCommitted: Bool, reason: String) {
        (self.mayHaveCommitted, self.reason) = (mayHaveCommitted, reason)
    }
}

extension PostgresError: CustomStringConvertible {
    /// The error in one line, for the log.
    package var description: String {
        switch self {
        case .server(let error): error.description
        case .connectionLost(let loss): "connection lost\(commitWarning): \(loss.reason)"
        case .timedOut: "the statement took too long\(commitWarning)"
        case .unavailable(let reason): "no connection: \(reason)"
        case .overloaded: "too many statements are waiting"
        case .cancelled: "cancelled\(commitWarning)"
        case .outdated: "outdated before it was sent"
        case .invalidParameter(let reason): "invalid parameter: \(reason)"
        case .undecodable(let reason): "undecodable result: \(reason)"
        }
    }

    private var commitWarning: String { mayHaveCommitted ? " (it may have been committed)" : "" }
}
