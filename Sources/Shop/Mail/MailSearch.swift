// The point in time from which OrderMailer searches for unsent mails. A value: no clock and no I/O.
import Ordering

/// Orders and steps become visible when their transaction commits, later than the time that they carry. So a search
/// starts some time before the previous one, and every few minutes one covers the whole period.
struct MailSearch {
    /// How often the whole period is searched, for steps that a long transaction committed late.
    static let sweepInterval = Duration.seconds(300)

    private let since: Instant
    private let patience: Duration
    private let lateness: Duration
    private var seen: Instant?
    private var swept: Instant?

    init(since: Instant, patience: Duration, lateness: Duration) {
        (self.since, self.patience, self.lateness) = (since, patience, lateness)
    }

    /// The time after which steps have to be read now.
    mutating func begin(at now: Instant) -> Instant {
        let oldest = max(since, now.advanced(by: .zero - patience))
        if swept.map({ $0.advanced(by: Self.sweepInterval) <= now }) ?? true { (seen, swept) = (nil, now) }
        return max(oldest, seen?.advanced(by: .zero - lateness) ?? oldest)
    }

    /// Ends a search that read everything until `now`.
    mutating func end(at now: Instant) { seen = now }
}
