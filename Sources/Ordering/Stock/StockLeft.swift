// How much is left of what staff count. Loaded as a fact of a basket or a checkout; StockJudgement.swift says what is short.

/// What can be counted. In the order in which the placing call takes them: items, then options, each by id.
package enum StockedThing: Sendable, Hashable, Comparable {
    case item(MenuItemID)
    case option(OptionID)
}

/// How many there are of one thing.
package struct StockCount: Sendable, Hashable {
    /// Never below zero.
    package let left: Int64
    /// For how long it is this count, at the end of which there are some again: a business day for what is there again each day, and always
    /// for all else.
    package let holds: TimeSpan

    /// A count; below zero there is none.
    package init(left: Int64, holds: TimeSpan = .always) {
        (self.left, self.holds) = (max(left, 0), holds)
    }

    /// From when on there are more.
    var moreFrom: AvailableFrom { holds.until.map(AvailableFrom.moment) ?? .never }
}

/// What is left of each thing that is counted; all others are there without end.
package struct StockLeft: Sendable, Hashable {
    let counts: [StockedThing: StockCount]

    /// Nothing is counted.
    package static let untracked = StockLeft([:])

    /// These are counted.
    package init(_ counts: [StockedThing: StockCount]) { self.counts = counts }

    /// Whether nothing is counted.
    package var isUntracked: Bool { counts.isEmpty }

    /// From when on there is one.
    func availableFrom(_ thing: StockedThing) -> AvailableFrom {
        guard let count = self[thing], count.left == 0 else { return .always }
        return count.moreFrom
    }

    /// What there is none of, and the options of which there are fewer than so many units: by these and not by the other counts a menu reads otherwise
    /// in what can be had.
    func scarce(below units: Int) -> [StockedThing: StockCount] {
        counts.filter { thing, count in
            if case .option = thing { count.left < max(units, 1) } else { count.left == 0 }
        }
    }

    /// How many there are; nil: it is not counted.
    package subscript(thing: StockedThing) -> StockCount? { counts[thing] }
}
