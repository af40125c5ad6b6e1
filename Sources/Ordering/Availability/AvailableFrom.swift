// The time from which something can be ordered. Items, options and option groups have one each; a combination has the
// latest of its parts.

/// The earliest time of availability, according to staff. A later time compares as greater.
package enum AvailableFrom: Sendable, Hashable, Comparable {
    /// Available now, until staff change it.
    case always
    /// Sold out before this time.
    case moment(Instant)
    /// Sold out until further notice, or permanently.
    case never

    /// - Parameters:
    ///   - isAvailable: false while sold out until further notice.
    ///   - soldOutUntil: the end of the sold-out period, exclusive.
    package init(isAvailable: Bool, soldOutUntil: Instant?) {
        self = isAvailable ? soldOutUntil.map(AvailableFrom.moment) ?? .always : .never
    }

    /// Whether it is available at `now`.
    func isReached(at now: Instant) -> Bool { self <= .moment(now) }

    /// The end of the sold-out period; nil if it is not sold out or has no known end.
    var moment: Instant? { if case .moment(let moment) = self { moment } else { nil } }
}
