// A stretch of time, in which a decision holds. Availability carries one, orders are placed within theirs.

/// From a moment on and before another: at the first one it has begun, at the last it is over.
package struct TimeSpan: Sendable, Hashable {
    /// Its first moment; nil: since ever.
    package let from: Instant?
    /// The first moment after it; nil: for good.
    package let until: Instant?

    /// All of time.
    package static let always = TimeSpan()

    /// A stretch, without bound where none is given.
    package init(from: Instant? = nil, until: Instant? = nil) { (self.from, self.until) = (from, until) }

    /// The stretch around a moment in which none of these moments comes.
    package init(around now: Instant, without changes: some Sequence<Instant>) {
        var (from, until): (Instant?, Instant?)
        for change in changes {
            if change <= now { from = max(from ?? change, change) } else { until = min(until ?? change, change) }
        }
        self.init(from: from, until: until)
    }

    /// Whether the moment lies in it.
    package func contains(_ now: Instant) -> Bool { from.map { $0 <= now } ?? true && until.map { now < $0 } ?? true }

    /// What lies in both.
    package func overlap(_ other: TimeSpan) -> TimeSpan {
        var (from, until) = (from, until)
        if let other = other.from { from = max(from ?? other, other) }
        if let other = other.until { until = min(until ?? other, other) }
        return TimeSpan(from: from, until: until)
    }
}
