// The waiting orders that are older than a day. Most of them are abandoned, and there may be hundreds of thousands, so
// the acceptance timer reads only a few pages of them per poll.
import Ordering

/// Remembers which older orders the shop may still accept or reject, and how far the current pass has read.
struct AcceptanceBacklog {
    /// How many pages of older orders one poll reads at most.
    static let pagesPerPoll = 5
    /// The time between the starts of two passes. Only a pass finds an older order that staff returned to `placed`.
    static let interval = Duration.seconds(60)

    /// One read of all older orders, over as many polls as it needs.
    struct Pass {
        let startedAt: Instant
        /// The position of the pass: the last order that it has read; nil before its first page.
        fileprivate(set) var last: UnacceptedOrder?
        fileprivate var found: Set<UnacceptedOrder> = []

        /// The pass reads the orders that were placed after `begin` and not after `end`.
        var begin: Instant { startedAt.advanced(by: .zero - UnacceptedOrder.maximumAge) }
        var end: Instant { startedAt.advanced(by: .zero - UnacceptedOrder.abandonedAfter) }
    }

    /// Each poll reads all orders that were placed after this time. Of the orders before it, only `orders` matter.
    private(set) var end: Instant
    /// The orders that were not placed after `end`, and that the shop may still accept or reject.
    private(set) var orders: Set<UnacceptedOrder> = []
    /// Nil between two passes.
    private(set) var pass: Pass?
    private var startedAt: Instant

    /// Starts the first pass.
    init(at now: Instant) {
        let pass = Pass(startedAt: now)
        (self.pass, end, startedAt) = (pass, pass.end, now)
    }

    /// Starts a pass if the last one is complete and started a minute ago.
    mutating func startPass(at now: Instant) {
        guard pass == nil, now >= startedAt.advanced(by: Self.interval) else { return }
        (pass, startedAt) = (Pass(startedAt: now), now)
    }

    /// Records the next page of the pass. The last page completes the pass, which moves `end`.
    mutating func record(_ page: [UnacceptedOrder], isLast: Bool, maySettle: (UnacceptedOrder) -> Bool) {
        guard var current = pass else { return }
        let older = page.prefix(while: { $0.placedAt <= current.end })
        let found = older.filter(maySettle)
        current.found.formUnion(found)
        if isLast || older.count < page.count {
            (end, orders, pass) = (current.end, current.found, nil)
        } else {
            orders.formUnion(found.filter { $0.placedAt <= end })
            current.last = page.last
            pass = current
        }
    }

    /// Forgets orders that were accepted or rejected.
    mutating func remove(_ settled: Set<UnacceptedOrder>) {
        orders.subtract(settled)
        pass?.found.subtract(settled)
    }
}
