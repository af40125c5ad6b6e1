// Among which orders AcceptanceWatch looks for those that nobody has accepted. A value: no clock and no I/O.
import Database
import Ordering

/// A look reads the orders that waited at the last one, those that moved since, and those that are new: few, however many orders there are. The first one, and one
/// each minute for what nobody announced, goes further back.
struct WaitingSearch {
    static let sweep = Duration.seconds(60)

    private let acceptance: Acceptance
    /// An order can be seen so long after its moment at most.
    private let lateness: Duration
    private var known: [OrderID] = []
    private var seen: Instant?
    private var swept: Instant?

    init(_ acceptance: Acceptance, lateness: Duration) { (self.acceptance, self.lateness) = (acceptance, lateness) }

    /// Whether it is for this way of accepting.
    func isFor(_ other: Acceptance) -> Bool { acceptance == other }

    /// What has to be read now.
    mutating func begin(at now: Instant, moved: Set<OrderID>) -> WaitingRange {
        var since: Instant
        let isSweep = swept.map { $0.advanced(by: Self.sweep) <= now } ?? true
        if let seen, swept != nil {
            since = seen.advanced(by: .zero - lateness)
            if isSweep { since = min(since, now.advanced(by: .zero - WaitingOrder.memory)) }
        } else {
            since = now.advanced(by: .zero - WaitingOrder.depth)
        }
        if isSweep { swept = now }
        known.append(contentsOf: moved)
        // What is accepted automatically does not come up first: all that is wanted later is looked through when it is a sweep.
        let (after, until): (Instant?, Instant?) =
            acceptance == .automatically
            ? (isSweep ? now : nil, nil) : (since.advanced(by: isSweep ? .zero : Kitchen.ahead), now.advanced(by: Kitchen.ahead))
        return WaitingRange(known: known, placedAfter: since, wantedAfter: after, wantedUntil: until)
    }

    /// All were seen that waited then; these are the ones that the shop itself may still do something with.
    mutating func end(at now: Instant, waiting: [OrderID]) { (known, seen) = (waiting, now) }

    /// Something may have moved that nobody was told of: the next look goes all the way.
    mutating func forget() { (seen, swept) = (nil, nil) }
}
