// Why storage could not do what it was asked: whose fault it is, whether a write may have been made all the same, and a line for the log.
// Thrown by every function of ShopDatabase. Read next: DatabaseFault+PostgresError.swift, the one place that makes it.

/// What went wrong in the database, or on the way to it.
package struct DatabaseFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// Who or what it is about.
    package enum Kind: Sendable, Hashable {
        /// There was no connection in time; nothing was sent.
        case unavailable
        /// The connection went away in the middle.
        case connectionLost
        case timedOut
        /// As many statements wait as may; nothing was sent.
        case overloaded
        case cancelled
        /// A value has no form in the database; nothing was sent.
        case invalidParameter
        /// A row is not what the program asked for.
        case undecodable
        /// The values of one statement: they don't fit, break a constraint, are too large for an index, or a function of ours raised. Others go on.
        case values
        /// A transaction that lost against another one, or was outdated before it was sent: nothing of it remains, and asked again it comes through.
        case race
        /// A row or table that somebody has locked, waited for as long as a statement waits.
        case locked
        /// The server stops or starts.
        case restarting
        /// The server is a replica, or has become one.
        case readOnly
        /// All else: no resources, no right, a schema that is not ours, a broken file. It meets everybody alike.
        case database
    }

    package let kind: Kind
    /// Whether a write may be in the database all the same.
    package let mayHaveCommitted: Bool
    /// One line for the log: no value of a guest's stands in it.
    package let description: String
    /// What somebody has to do about it, where that is known.
    let remedy: String?

    /// One line for the log and for `welms doctor`: what it is, and what to do.
    package var withRemedy: String { remedy.map { "\(self): \($0)" } ?? description }

    /// Whether the database could not be reached at all, or went away.
    package var isAbsence: Bool {
        switch kind {
        case .unavailable, .connectionLost, .timedOut, .restarting: true
        case .overloaded, .cancelled, .invalidParameter, .undecodable, .values, .race, .locked, .readOnly, .database: false
        }
    }
}
