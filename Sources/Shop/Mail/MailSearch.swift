// Computes the time from which OrderMailer searches for unsent mails. A value type without a clock and without I/O.
import Ordering

/// Orders and steps become visible when their transaction commits, which is later than their timestamp. So a search
/// begins some time before the previous one. Every few minutes, a search covers the whole period.
struct MailSearch {
    /// How often the whole period is searched, for steps that a long transaction committed late.
    static let sweepInterval = Duration.seconds(300)

    private let since: Instant
    private let period: Duration
    private let lateness: Duration
    private var seen: Instant?
    private var swept: Instant?

    init(since: Instant, period: Duration, lateness: Duration) {
        (self.since, self.period, self.lateness) = (since, period, lateness)
    }

    /// The time after which steps have to be read now.
    mutating func begin(at now: Instant) -> Instant {
        let oldest = max(since, now.advanced(by: .zero - period))
        if swept.map({ $0.advanced(by: Self.sweepInterval) <= now }) ?? true { (seen, swept) = (nil, now) }
        return max(oldest, seen?.advanced(by: .zero - lateness) ?? oldest)
    }

    /// Ends a search that read everything until `now`.
    mutating func end(at now: Instant) { seen = now }
}
