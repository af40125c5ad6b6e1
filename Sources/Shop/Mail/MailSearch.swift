// From when on OrderMailer looks for what is to be mailed. A value: no clock and no I/O.
import Ordering

/// An order carries the moment at which it was decided, and a step the moment at which it was made. Both are visible
/// when their transaction is committed, which is later. So a look goes back some time before the one that came before
/// it; and every few minutes one goes back all the way.
struct MailSearch {
    /// How often the whole time is looked through: what a forgotten transaction has held back is mailed then.
    static let sweep = Duration.seconds(300)

    private let since: Instant
    private let patience: Duration
    private let lateness: Duration
    private var seen: Instant?
    private var swept: Instant?

    init(since: Instant, patience: Duration, lateness: Duration) {
        (self.since, self.patience, self.lateness) = (since, patience, lateness)
    }

    /// What came after this has to be looked at now.
    mutating func begin(at now: Instant) -> Instant {
        let oldest = max(since, now.advanced(by: .zero - patience))
        if swept.map({ $0.advanced(by: Self.sweep) <= now }) ?? true { (seen, swept) = (nil, now) }
        return max(oldest, seen?.advanced(by: .zero - lateness) ?? oldest)
    }

    /// All of it was seen, as it was then.
    mutating func end(at now: Instant) { seen = now }
}
