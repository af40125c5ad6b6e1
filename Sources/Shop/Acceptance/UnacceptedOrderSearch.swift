// Computes which orders AcceptanceTimer reads in a poll. A value type without a clock and without I/O.
import Database
import Ordering

/// A poll reads the orders that were unaccepted at the last poll, those that changed since, and new ones. The first
/// poll, and one poll each minute, go further back to find changes without a notification.
struct UnacceptedOrderSearch {
    /// How often a poll goes further back.
    static let sweepInterval = Duration.seconds(60)

    private let acceptance: Acceptance
    /// The longest time between an order's placement time and its commit.
    private let lateness: Duration
    private var known: [OrderID] = []
    private var lastPollAt: Instant?
    private var lastSweepAt: Instant?

    init(_ acceptance: Acceptance, lateness: Duration) { (self.acceptance, self.lateness) = (acceptance, lateness) }

    /// Whether the search is for this acceptance setting.
    func matches(_ other: Acceptance) -> Bool { acceptance == other }

    /// The range to read now.
    mutating func begin(at now: Instant, moved: Set<OrderID>) -> WaitingRange {
        var since: Instant
        let isSweep = lastSweepAt.map { $0.advanced(by: Self.sweepInterval) <= now } ?? true
        if let lastPollAt, lastSweepAt != nil {
            since = lastPollAt.advanced(by: .zero - lateness)
            if isSweep { since = min(since, now.advanced(by: .zero - UnacceptedOrder.abandonedAfter)) }
        } else {
            since = now.advanced(by: .zero - UnacceptedOrder.maximumDeadlineDelay)
        }
        if isSweep { lastSweepAt = now }
        known.append(contentsOf: moved)
        // With automatic acceptance, only a sweep reads pre-orders, and it reads all whose wanted time is in the
        // future.
        let (after, until): (Instant?, Instant?) =
            acceptance == .automatically
            ? (isSweep ? now : nil, nil)
            : (since.advanced(by: isSweep ? .zero : Kitchen.leadTime), now.advanced(by: Kitchen.leadTime))
        return WaitingRange(known: known, placedAfter: since, wantedAfter: after, wantedUntil: until)
    }

    /// Ends a poll that read the whole range. `waiting` are the orders that the shop may still settle.
    mutating func end(at now: Instant, waiting: [OrderID]) { (known, lastPollAt) = (waiting, now) }

    /// Makes the next poll read everything, because a notification may have been lost.
    mutating func reset() { (lastPollAt, lastSweepAt) = (nil, nil) }
}
