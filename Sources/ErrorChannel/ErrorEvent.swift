// One event of the error channel, and what a listener is handed: an event, or word of how many it missed.
// Read next: ErrorSubscription.swift.

/// A fault that began or a fault that ended.
package struct ErrorEvent: Hashable, Sendable {
    package enum Kind: String, Sendable {
        case fault
        case recovery
    }

    /// Its name, to resume after.
    package let id: EventID
    /// When it was published, microseconds since 1970 UTC, as the publisher's clock says.
    package let at: Int64
    package let kind: Kind
    /// The fault, or the fault that is over; for a recovery its message says so.
    package let fault: SystemFault
}

/// What the system is like, as far as faults were published.
package enum Condition: String, Sendable {
    /// No fault is open.
    case healthy
    /// At least one is.
    case degraded
}

package enum Delivery: Hashable, Sendable {
    case event(ErrorEvent)
    /// This many events, at least one, went by before the next one: the listener was slow, or away too long.
    case missed(Int64)
}
