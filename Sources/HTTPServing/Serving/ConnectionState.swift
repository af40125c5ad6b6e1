// The states of a connection. Only ConnectionGuard changes them. Persistence decides separately which request is the
// last, and HTTPConnections closes the connection after it.

/// The state of a connection, which never returns to an earlier state. In every state the connection may also end
/// because the client disconnects, stays idle or stops reading.
enum ConnectionState {
    /// Requests are read and answered in order.
    /// - To `ending` when the server shuts down.
    /// - To `finishing` when invalid or incomplete input follows requests with pending responses.
    /// - To `refused` when no response is pending.
    case open
    /// The server shuts down: an incomplete request has little time left. The connection closes after the last
    /// pending response, or immediately if none is pending.
    /// - To `finishing` or `refused` as from `open`.
    case ending
    /// Nothing more is read; the connection closes after the last pending response.
    case finishing
    /// Nothing more is read or answered. A refusal is sent unless part of another response was sent. The connection
    /// closes when the client closes its side, or after a second.
    case refused

    /// Whether input is read.
    var isReading: Bool { self == .open || self == .ending }

    /// Whether the connection closes after the last pending response.
    var closesAfterLastResponse: Bool { self == .ending || self == .finishing }
}
