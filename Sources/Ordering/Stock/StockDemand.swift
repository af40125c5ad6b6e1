// The stock that a basket, an order or a batch takes, summed over its dishes.

/// The units that a line or a set item takes from stock.
package struct DishDemand: Sendable {
    /// The path of the line or of the set's item.
    package let path: FieldPath
    /// The units for the whole quantity: first of the item, then of its options, each listed once.
    package let uses: [(thing: StockKey, units: Int64)]

    /// - Parameters:
    ///   - quantity: the quantity of the line or the set item.
    ///   - options: each option with its units in one dish, multiplied by the quantities of its parent options.
    ///     Repeated options are added up; options without units are ignored.
    package init(_ path: FieldPath, _ item: MenuItemID, quantity: Int64, options: [(id: OptionID, units: Int64)] = []) {
        self.path = path
        var uses: [(thing: StockKey, units: Int64)] = []
        var indices: [StockKey: Int] = [:]
        func use(_ thing: StockKey, _ perDish: Int64) {
            let used = max(perDish, 0).timesAtMost(max(quantity, 0))
            guard used > 0 else { return }
            if let index = indices[thing] {
                uses[index].units = uses[index].units.plusAtMost(used)
            } else {
                indices[thing] = uses.count
                uses.append((thing, used))
            }
        }
        use(.item(item), 1)
        for option in options { use(.option(option.id), option.units) }
        self.uses = uses
    }
}

/// The units of each item and option that are taken together.
package struct StockDemand: Sendable, Hashable {
    private let units: [StockKey: Int64]
    private let dayStarts: [StockKey: Instant]

    /// The sum of all dishes. It saturates at the highest number, which no stock covers.
    package init(_ dishes: some Sequence<DishDemand>) {
        var units: [StockKey: Int64] = [:]
        for dish in dishes { for (thing, used) in dish.uses { units[thing] = (units[thing] ?? 0).plusAtMost(used) } }
        self.init(units)
    }

    private init(_ units: [StockKey: Int64], dayStarts: [StockKey: Instant] = [:]) {
        (self.units, self.dayStarts) = (units, dayStarts)
    }

    /// No demand.
    package static let nothing = StockDemand([StockKey: Int64]())

    /// Whether nothing is taken.
    package var isEmpty: Bool { units.isEmpty }

    /// The part of the demand that has a stock count.
    package func counted(in stock: StockLevels) -> StockDemand {
        if stock.isUntracked { return .nothing }
        let counted = units.filter { stock[$0.key] != nil }
        var dayStarts: [StockKey: Instant] = [:]
        for thing in counted.keys { if let start = stock[thing]?.validity.from { dayStarts[thing] = start } }
        return StockDemand(counted, dayStarts: dayStarts)
    }

    /// The start of the business day from which the units are taken; nil if they are not counted per day.
    package func dayStart(of thing: StockKey) -> Instant? { dayStarts[thing] }

    /// The units of one item or option.
    package subscript(thing: StockKey) -> Int64 { units[thing] ?? 0 }

    /// All items and options with their units, in the order in which they are locked.
    package var all: [(thing: StockKey, units: Int64)] { units.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
}

extension Int64 {
    /// The sum, or the highest number on overflow.
    fileprivate func plusAtMost(_ other: Int64) -> Int64 {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? .max : sum
    }

    /// The product, or the highest number on overflow.
    fileprivate func timesAtMost(_ other: Int64) -> Int64 {
        let (product, isTooLarge) = multipliedReportingOverflow(by: other)
        return isTooLarge ? .max : product
    }
}
