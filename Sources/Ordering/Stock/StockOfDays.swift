// The remaining stock on several business days, to decide at which times a basket can be ordered.

/// The remaining stock by business day.
package struct StockOfDays: Sendable, Hashable {
    private let counts: [StockedThing: [StockCount]]

    /// Nothing is counted.
    package static let untracked = StockOfDays([:])

    /// The counts of each item and option: one for each known business day, or a single permanent one.
    package init(_ counts: [StockedThing: [StockCount]]) { self.counts = counts }

    /// The stock of one day.
    init(_ stock: StockLeft) { counts = stock.counts.mapValues { [$0] } }

    /// The stock at an instant. Counted items are sold out on days that are not known.
    package func left(at moment: Instant) -> StockLeft {
        if counts.isEmpty { return .untracked }
        return StockLeft(
            counts.mapValues { days in
                days.first { $0.holds.contains(moment) } ?? StockCount(left: 0, holds: TimeSpan(around: moment, without: days.ends))
            })
    }
}

extension [StockCount] {
    fileprivate var ends: [Instant] { flatMap { [$0.holds.from, $0.holds.until].compactMap(\.self) } }
}

/// A query of the stock of items and options on the business days of these instants.
package struct StockQuestion: Sendable, Hashable {
    package private(set) var things: Set<StockedThing> = []
    package private(set) var moments: Set<Instant> = []

    /// An empty query.
    package init() {}

    init(_ things: Set<StockedThing>, at moments: some Sequence<Instant>) { (self.things, self.moments) = (things, Set(moments)) }

    /// Whether there is nothing to query.
    package var isEmpty: Bool { things.isEmpty || moments.isEmpty }

    /// Adds another query.
    package mutating func formUnion(_ other: StockQuestion) {
        things.formUnion(other.things)
        moments.formUnion(other.moments)
    }
}
