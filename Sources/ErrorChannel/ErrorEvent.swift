// One event of the error channel, and what a listener is handed: an event, or word of how many it missed.
// Read next: ErrorSubscription.swift.

/// A fault that began or a fault that ended.
public struct ErrorEvent: Hashable, Sendable {
    /// Which of the two it is.
    public enum Kind: String, Sendable {
        /// It began.
        case fault
        /// It ended.
        case recovery
    }

    /// Its name, to resume after.
    public let id: EventID
    /// When it was published, microseconds since 1970 UTC, as the publisher's clock says.
    public let at: Int64
    /// Fault or recovery.
    public let kind: Kind
    /// The fault, or the fault that is over; for a recovery its message says so.
    public let fault: SystemFault
}

/// What the system is like, as far as faults were published.
public enum Condition: String, Sendable {
    /// No fault is open.
    case healthy
    /// At least one is.
    case degraded
}

/// What a listener gets.
public enum Delivery: Hashable, Sendable {
    /// The next event.
    case event(ErrorEvent)
    /// This many events, at least one, went by before the next one: the listener was slow, or away too long.
    case missed(Int64)
}
