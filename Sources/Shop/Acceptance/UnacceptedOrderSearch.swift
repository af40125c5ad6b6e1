// Which orders AcceptanceTimer reads at a poll. A value: no clock and no I/O.
import Database
import Ordering

/// A poll reads the orders that were unaccepted at the last poll, those that changed since, and new ones. The first
/// poll, and one each minute, goes further back for changes without a notification.
struct UnacceptedOrderSearch {
    /// How often a poll goes further back.
    static let sweepInterval = Duration.seconds(60)

    private let acceptance: Acceptance
    /// The longest time between the moment of an order and its commit.
    private let lateness: Duration
    private var known: [OrderID] = []
    private var seen: Instant?
    private var swept: Instant?

    init(_ acceptance: Acceptance, lateness: Duration) { (self.acceptance, self.lateness) = (acceptance, lateness) }

    /// Whether the search is for this acceptance setting.
    func matches(_ other: Acceptance) -> Bool { acceptance == other }

    /// The range to read now.
    mutating func begin(at now: Instant, moved: Set<OrderID>) -> WaitingRange {
        var since: Instant
        let isSweep = swept.map { $0.advanced(by: Self.sweepInterval) <= now } ?? true
        if let seen, swept != nil {
            since = seen.advanced(by: .zero - lateness)
            if isSweep { since = min(since, now.advanced(by: .zero - UnacceptedOrder.abandonedAfter)) }
        } else {
            since = now.advanced(by: .zero - UnacceptedOrder.maximumDeadlineDelay)
        }
        if isSweep { swept = now }
        known.append(contentsOf: moved)
        // Orders that are accepted automatically need no look ahead: a sweep reads all that are wanted later.
        let (after, until): (Instant?, Instant?) =
            acceptance == .automatically
            ? (isSweep ? now : nil, nil)
            : (since.advanced(by: isSweep ? .zero : Kitchen.leadTime), now.advanced(by: Kitchen.leadTime))
        return WaitingRange(known: known, placedAfter: since, wantedAfter: after, wantedUntil: until)
    }

    /// Ends a poll that read the whole range. `waiting` are the orders that the shop may still settle.
    mutating func end(at now: Instant, waiting: [OrderID]) { (known, seen) = (waiting, now) }

    /// Makes the next poll read everything, because a notification may have been lost.
    mutating func reset() { (seen, swept) = (nil, nil) }
}
