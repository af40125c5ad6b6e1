// What is left of counted things on several business days: a fact of the times that are offered, where a basket holds such a thing. Loaded by
// Database's LoadStock, for a StockQuestion. Read next: Times/DishesThen.swift.

/// What is left, by the day.
package struct StockOfDays: Sendable, Hashable {
    private let counts: [StockedThing: [StockCount]]

    /// Nothing is counted.
    package static let untracked = StockOfDays([:])

    /// The counts of each thing: one for each business day that is known, or one for good.
    package init(_ counts: [StockedThing: [StockCount]]) { self.counts = counts }

    /// What is left of one day.
    init(_ stock: StockLeft) { counts = stock.counts.mapValues { [$0] } }

    /// What is left at a moment; nothing of what is counted where its day is not known.
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

/// Of which things it has to be known how many are left, and at which moments: a moment of each business day that matters.
package struct StockQuestion: Sendable, Hashable {
    package private(set) var things: Set<StockedThing> = []
    package private(set) var moments: Set<Instant> = []

    /// Nothing.
    package init() {}

    init(_ things: Set<StockedThing>, at moments: some Sequence<Instant>) { (self.things, self.moments) = (things, Set(moments)) }

    /// Whether there is nothing to ask.
    package var isEmpty: Bool { things.isEmpty || moments.isEmpty }

    /// Asks another one too.
    package mutating func formUnion(_ other: StockQuestion) {
        things.formUnion(other.things)
        moments.formUnion(other.moments)
    }
}
