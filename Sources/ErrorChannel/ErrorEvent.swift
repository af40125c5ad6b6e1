// One event of the error channel, and what a subscriber receives: an event or a number of missed events.

/// The beginning or the end of a fault.
package struct ErrorEvent: Hashable, Sendable {
    /// Whether the fault began or ended.
    package enum Kind: String, Sendable {
        case fault
        case recovery
    }

    /// The event's identifier, after which a subscriber can resume.
    package let id: EventID
    /// The time of publication by the publisher's clock, in microseconds since 1970 UTC.
    package let publishedAt: Int64
    package let kind: Kind
    /// The fault that began or ended. In a recovery its message says that it has ended.
    package let fault: SystemFault
}

/// The state of the system, derived from the published faults.
package enum Condition: String, Sendable {
    /// No fault is open.
    case healthy
    /// At least one fault is open.
    case degraded
}

/// One element of a subscription.
package enum Delivery: Hashable, Sendable {
    case event(ErrorEvent)
    /// The number of events, at least one, that the subscriber missed before the next event, because it was slow or
    /// disconnected for too long.
    case missed(Int64)
}
