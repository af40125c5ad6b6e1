// The remaining stock of counted items and options.

/// An item or an option whose stock can be counted. The order is the locking order: items, then options, each by id.
package enum StockedThing: Sendable, Hashable, Comparable {
    case item(MenuItemID)
    case option(OptionID)
}

/// The remaining units of one item or option.
package struct StockCount: Sendable, Hashable {
    /// Never negative.
    package let left: Int64
    /// The interval in which the count applies. For a daily count it is the business day, after which the stock is
    /// renewed; otherwise unbounded.
    package let holds: TimeSpan

    /// A count; negative values become zero.
    package init(left: Int64, holds: TimeSpan = .always) {
        (self.left, self.holds) = (max(left, 0), holds)
    }

    /// When the stock is renewed.
    var moreFrom: AvailableFrom { holds.until.map(AvailableFrom.moment) ?? .never }
}

/// The remaining stock of all counted items and options. All others are unlimited.
package struct StockLeft: Sendable, Hashable {
    let counts: [StockedThing: StockCount]

    /// Nothing is counted.
    package static let untracked = StockLeft([:])

    /// The stock with these counts.
    package init(_ counts: [StockedThing: StockCount]) { self.counts = counts }

    /// Whether nothing is counted.
    package var isUntracked: Bool { counts.isEmpty }

    /// The time from which at least one unit is available.
    func availableFrom(_ thing: StockedThing) -> AvailableFrom {
        guard let count = self[thing], count.left == 0 else { return .always }
        return count.moreFrom
    }

    /// The counts that affect a menu: those at zero, and options with fewer units than `units`.
    func scarce(below units: Int) -> [StockedThing: StockCount] {
        counts.filter { thing, count in
            if case .option = thing { count.left < max(units, 1) } else { count.left == 0 }
        }
    }

    /// The count; nil if it is not counted.
    package subscript(thing: StockedThing) -> StockCount? { counts[thing] }
}
