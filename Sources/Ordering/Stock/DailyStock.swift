// The remaining stock on several business days, to decide at which times a basket can be ordered.

/// The remaining stock by business day.
package struct DailyStock: Sendable, Hashable {
    private let counts: [StockKey: [StockCount]]

    /// Nothing is counted.
    package static let untracked = DailyStock([:])

    /// The counts of each item and option: one for each known business day, or a single permanent one.
    package init(_ counts: [StockKey: [StockCount]]) { self.counts = counts }

    /// The stock of one day.
    init(_ stock: StockLevels) { counts = stock.counts.mapValues { [$0] } }

    /// The stock at an instant. Counted items are sold out on days that are not known.
    package func levels(at moment: Instant) -> StockLevels {
        if counts.isEmpty { return .untracked }
        return StockLevels(
            counts.mapValues { days in
                days.first { $0.validity.contains(moment) }
                    ?? StockCount(remaining: 0, validity: TimeRange(around: moment, excluding: days.ends))
            })
    }
}

extension [StockCount] {
    fileprivate var ends: [Instant] { flatMap { [$0.validity.from, $0.validity.until].compactMap(\.self) } }
}

/// A query of the stock of items and options on the business days of these instants.
package struct StockQuery: Sendable, Hashable {
    package private(set) var keys: Set<StockKey> = []
    package private(set) var moments: Set<Instant> = []

    /// An empty query.
    package init() {}

    init(_ things: Set<StockKey>, at moments: some Sequence<Instant>) {
        (self.keys, self.moments) = (things, Set(moments))
    }

    /// Whether there is nothing to query.
    package var isEmpty: Bool { keys.isEmpty || moments.isEmpty }

    /// Adds another query.
    package mutating func formUnion(_ other: StockQuery) {
        keys.formUnion(other.keys)
        moments.formUnion(other.moments)
    }
}
