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
        self.init(from: changes.filter { $0 <= now }.max(), until: changes.filter { $0 > now }.min())
    }

    /// Whether the moment lies in it.
    package func contains(_ now: Instant) -> Bool { from.map { $0 <= now } ?? true && until.map { now < $0 } ?? true }

    /// What lies in both.
    package func overlap(_ other: TimeSpan) -> TimeSpan {
        TimeSpan(from: [from, other.from].compactMap(\.self).max(), until: [until, other.until].compactMap(\.self).min())
    }
}
