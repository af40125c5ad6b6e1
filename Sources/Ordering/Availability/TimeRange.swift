// A half-open range of time, used for shifts, business days and the validity of decisions.

/// A range that includes its start and excludes its end.
package struct TimeRange: Sendable, Hashable {
    /// The first instant of the range; nil: unbounded.
    package let from: Instant?
    /// The first instant after the range; nil: unbounded.
    package let until: Instant?

    /// The unbounded range.
    package static let always = TimeRange()

    /// A range; nil means unbounded.
    package init(from: Instant? = nil, until: Instant? = nil) { (self.from, self.until) = (from, until) }

    /// The largest range around `now` that contains none of these changes, except one at its start.
    package init(around now: Instant, excluding changes: some Sequence<Instant>) {
        var (from, until): (Instant?, Instant?)
        for change in changes {
            if change <= now { from = max(from ?? change, change) } else { until = min(until ?? change, change) }
        }
        self.init(from: from, until: until)
    }

    /// Whether the range contains this instant.
    package func contains(_ now: Instant) -> Bool { from.map { $0 <= now } ?? true && until.map { now < $0 } ?? true }

    /// The instants that are in both ranges.
    package func intersection(_ other: TimeRange) -> TimeRange {
        var (from, until) = (from, until)
        if let other = other.from { from = max(from ?? other, other) }
        if let other = other.until { until = min(until ?? other, other) }
        return TimeRange(from: from, until: until)
    }
}
