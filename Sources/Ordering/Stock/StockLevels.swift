// The remaining stock of counted items and options.

/// An item or an option whose stock can be counted. The order is the locking order: items, then options, each by id.
package enum StockKey: Sendable, Hashable, Comparable {
    case item(MenuItemID)
    case option(OptionID)
}

/// The remaining units of one item or option.
package struct StockCount: Sendable, Hashable {
    /// Never negative.
    package let remaining: Int64
    /// The interval in which the count applies. For a daily count it is the business day, after which the stock is
    /// renewed; otherwise unbounded.
    package let validity: TimeRange

    /// A count; negative values become zero.
    package init(remaining: Int64, validity: TimeRange = .always) {
        (self.remaining, self.validity) = (max(remaining, 0), validity)
    }

    /// When the stock is renewed.
    var restockedFrom: AvailableFrom { validity.until.map(AvailableFrom.moment) ?? .never }
}

/// The remaining stock of all counted items and options. All others are unlimited.
package struct StockLevels: Sendable, Hashable {
    let counts: [StockKey: StockCount]

    /// Nothing is counted.
    package static let untracked = StockLevels([:])

    /// The stock with these counts.
    package init(_ counts: [StockKey: StockCount]) { self.counts = counts }

    /// Whether nothing is counted.
    package var isUntracked: Bool { counts.isEmpty }

    /// The time from which at least one unit is available.
    func availableFrom(_ thing: StockKey) -> AvailableFrom {
        guard let count = self[thing], count.remaining == 0 else { return .always }
        return count.restockedFrom
    }

    /// The counts that affect a menu: those at zero, and options with fewer units than `units`.
    func scarce(below units: Int) -> [StockKey: StockCount] {
        counts.filter { thing, count in
            if case .option = thing { count.remaining < max(units, 1) } else { count.remaining == 0 }
        }
    }

    /// The count; nil if it is not counted.
    package subscript(thing: StockKey) -> StockCount? { counts[thing] }
}
