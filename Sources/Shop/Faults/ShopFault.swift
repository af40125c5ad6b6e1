// The reasons why the shop can't answer a request, such as a database fault or overload. Guest errors are rejections.
import Database

/// A failure that the guest cannot correct.
package enum ShopFault: Error, Sendable, Hashable {
    /// The database can't be reached; nothing was changed.
    case unavailable
    /// The database can't execute the request now; nothing was changed. The text is for the log.
    case databaseFailed(String)
    /// The outcome is unknown: the connection was lost before the result, or the statement takes too long.
    case outcomeUnknown
    /// Another open transaction has locked a row that the request needs; nothing was changed.
    case rowLocked
    /// The queue is full; nothing was changed.
    case overloaded
    /// The job timed out in the queue; nothing was changed.
    case timedOutInQueue
    /// The job had a conflict at every attempt; nothing was changed.
    case tooManyConflicts
    /// The server is shutting down; nothing was changed.
    case shuttingDown
    /// The request itself can't be executed, or the program has a bug. The text is for the log.
    case failed(String)

    /// Maps a database fault to the distinctions that the client needs.
    init(_ fault: DatabaseFault) {
        self =
            switch fault.kind {
            case .unavailable, .restarting, .readOnly: .unavailable
            case .connectionLost, .timedOut: fault.mayHaveCommitted ? .outcomeUnknown : .unavailable
            case .overloaded: .overloaded
            case .cancelled: fault.mayHaveCommitted ? .outcomeUnknown : .overloaded
            case .conflict, .locked, .database: .databaseFailed(fault.description)
            case .rejectedValues, .invalidParameter, .undecodable: .failed(fault.description)
            }
    }

    /// Runs `work` and converts its database fault.
    static func wrapping<Value>(_ work: () async throws(DatabaseFault) -> Value) async throws(ShopFault) -> Value {
        do { return try await work() } catch { throw ShopFault(error) }
    }
}
