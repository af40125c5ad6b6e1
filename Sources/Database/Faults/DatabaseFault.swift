// Why a database operation failed.

/// A failure of the database or of the connection to it.
package struct DatabaseFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// The category of the failure.
    package enum Kind: Sendable, Hashable {
        /// No connection was available in time; nothing was sent.
        case unavailable
        /// The connection was lost during the statement.
        case connectionLost
        case timedOut
        /// The queue of waiting statements is full; nothing was sent.
        case overloaded
        case cancelled
        /// A value cannot be encoded for the database; nothing was sent.
        case invalidParameter
        /// A row does not have the expected form.
        case undecodable
        /// The values of one statement were rejected: a type, a constraint, an index limit, or an error raised by a
        /// function. Other statements are unaffected.
        case rejectedValues
        /// A transaction lost a race, or its precondition failed before it was sent. It was rolled back; a retry can
        /// succeed.
        case conflict
        /// A row or table was locked for longer than the lock timeout.
        case locked
        /// The server is stopping or starting.
        case restarting
        /// The server is a replica, or has become one.
        case readOnly
        /// Everything else: missing resources or privileges, another schema, a damaged file. It affects all statements.
        case database
    }

    package let kind: Kind
    /// Whether a write may have been committed nevertheless.
    package let mayHaveCommitted: Bool
    /// One line for the log, without personal data.
    package let description: String
    /// How an operator can remove the cause; nil if unknown.
    let remedy: String?

    /// One line with the remedy, for the log and `welms doctor`.
    package var descriptionWithRemedy: String { remedy.map { "\(self): \($0)" } ?? description }

    /// Whether the database could not be reached or the connection was lost.
    package var isConnectivityFailure: Bool {
        switch kind {
        case .unavailable, .connectionLost, .timedOut, .restarting: true
        case .overloaded, .cancelled, .invalidParameter, .undecodable, .rejectedValues, .conflict, .locked, .readOnly,
            .database:
            false
        }
    }
}
