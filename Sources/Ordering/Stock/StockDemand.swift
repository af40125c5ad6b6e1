// How much of each thing is wanted: by a basket, an order, a batch. Made of dishes with their quantities; StockJudgement.swift compares it with
// what is left.

/// So many of one dish, where they stand, and what they are made of.
package struct StockedDish: Sendable {
    /// The line, or the set's item.
    package let path: FieldPath
    /// What is used up by all of them: the item, then its options, each once.
    package let uses: [(thing: StockedThing, units: Int64)]

    /// - Parameters:
    ///   - quantity: of a line, or of a set's item times the number of sets.
    ///   - options: with the units of each in one dish: its quantity times those of the options that it is chosen with. One that stands twice counts
    ///     with both; one without units is not in the dish.
    package init(_ path: FieldPath, _ item: MenuItemID, quantity: Int64, options: [(id: OptionID, units: Int64)] = []) {
        self.path = path
        var uses: [(thing: StockedThing, units: Int64)] = []
        var places: [StockedThing: Int] = [:]
        func use(_ thing: StockedThing, _ perDish: Int64) {
            let used = max(perDish, 0).timesAtMost(max(quantity, 0))
            guard used > 0 else { return }
            if let place = places[thing] {
                uses[place].units = uses[place].units.plusAtMost(used)
            } else {
                places[thing] = uses.count
                uses.append((thing, used))
            }
        }
        use(.item(item), 1)
        for option in options { use(.option(option.id), option.units) }
        self.uses = uses
    }
}

/// How many of each thing are wanted together.
package struct StockDemand: Sendable, Hashable {
    private let units: [StockedThing: Int64]
    private let dayStarts: [StockedThing: Instant]

    /// What all these dishes need. Past what a number can hold it stays at the highest, which nothing covers.
    package init(_ dishes: some Sequence<StockedDish>) {
        var units: [StockedThing: Int64] = [:]
        for dish in dishes { for (thing, used) in dish.uses { units[thing] = (units[thing] ?? 0).plusAtMost(used) } }
        self.init(units)
    }

    private init(_ units: [StockedThing: Int64], dayStarts: [StockedThing: Instant] = [:]) {
        (self.units, self.dayStarts) = (units, dayStarts)
    }

    /// Nothing is wanted.
    package static let nothing = StockDemand([StockedThing: Int64]())

    /// Whether nothing is wanted.
    package var isEmpty: Bool { units.isEmpty }

    /// What of it is counted.
    package func counted(in stock: StockLeft) -> StockDemand {
        if stock.isUntracked { return .nothing }
        let counted = units.filter { stock[$0.key] != nil }
        var dayStarts: [StockedThing: Instant] = [:]
        for thing in counted.keys { if let start = stock[thing]?.holds.from { dayStarts[thing] = start } }
        return StockDemand(counted, dayStarts: dayStarts)
    }

    /// When the business day begins that a thing is taken from; nil where it is not counted per day.
    package func dayStart(of thing: StockedThing) -> Instant? { dayStarts[thing] }

    /// How many are wanted of a thing.
    package subscript(thing: StockedThing) -> Int64 { units[thing] ?? 0 }

    /// All that is wanted, in the order in which it is taken.
    package var all: [(thing: StockedThing, units: Int64)] { units.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
}

extension Int64 {
    /// The sum of two counts, or the highest there is.
    fileprivate func plusAtMost(_ other: Int64) -> Int64 {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? .max : sum
    }

    /// The product of two counts, or the highest there is.
    fileprivate func timesAtMost(_ other: Int64) -> Int64 {
        let (product, isTooLarge) = multipliedReportingOverflow(by: other)
        return isTooLarge ? .max : product
    }
}
