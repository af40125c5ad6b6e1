// The states of a connection, in one place. Led by ConnectionGuard, which is the only one to change them; asked by RequestReader.
// Beside it Persistence knows which request is the last by its own words, and HTTPConnections ends a connection after that one's answer.

/// Where a connection is in its life. From each state it may also just end: the client is gone, has had nothing to ask for too long, or reads
/// nothing of what it is sent. No state is come back to.
enum ConnectionLife {
    /// Requests are read, answered in their order, and followed by others.
    /// - To `ending` when the server shuts down.
    /// - To `finishing` when what comes behind whole requests, whose answers are owed, is none, or not whole in time.
    /// - To `refused` when nothing else is owed an answer.
    case open
    /// The server shuts down: what has begun to come has little time to become whole, and the connection is closed with the last answer that
    /// is owed; at once if none is.
    /// - To `finishing` or `refused` as from `open`.
    case ending
    /// Nothing more is read; the connection is closed with the last answer that is owed.
    case finishing
    /// Nothing more is read and no request is answered: a refusal goes out, unless a part of another answer has, and the connection is closed when
    /// the client has closed its side, or after a second.
    case refused

    /// Whether what comes is read.
    var isReading: Bool { self == .open || self == .ending }

    /// Whether the connection is closed with the last answer that is owed.
    var endsWithLastAnswer: Bool { self == .ending || self == .finishing }
}
