// What a selection costs: the one function that prices options, for lines of baskets, quotes and orders alike.
// Called by Menu's OfferedItem. Next: LineOption.swift, which it makes.

/// A selection at its prices.
///
/// A dish costs at most `Money.highestUnitPrice`, which the tables of baskets and orders hold too. Options that come to more than `highest` are refused
/// by whoever judges them, so that it is reached with the dearest item: nothing is ever cut off a price.
package struct PricedSelection: Sendable, Hashable {
    /// In staff's order of the groups and their options; what can't be chosen any more comes last.
    package let options: [LineOption]
    /// What they add to one unit of the dish; below zero if they take off.
    let total: Int64

    /// What the options of a dish may come to.
    static let highest = Money.highestUnitPrice.minorUnits - Money.highestPrice.minorUnits

    /// Options at the prices that a line has recorded.
    package init(recorded options: [LineOption]) {
        self.options = options
        // A hundred of at most 10¹⁶ each.
        total = options.reduce(0) { $0 + $1.total }
    }

    /// What one unit of the dish costs with them, by what its item costs: never less than nothing. Nil where they may not come to so much.
    package func unitPrice(_ item: Money) -> Money? {
        total <= Self.highest ? Money(proved: max(item.minorUnits + total, 0)) : nil
    }
}

extension OfferedOptions {
    /// Prices a selection by the menu. What can't be chosen any more keeps the title and the price it was recorded with.
    ///
    /// Of the units chosen from one group that cost something the cheapest cost nothing, as many as are included; among equal ones the first
    /// of the selection. That is for one unit of what the group lies below, and each unit of an option costs what lies below it once.
    /// - Parameter recorded: of this selection, if there is something.
    func priced(_ selection: Selection, recorded: [LineOption] = []) -> PricedSelection {
        PricedSelection(recorded: priced(selection, recorded, units: 1))
    }

    /// - Parameter units: how many of what they lie below one unit of the dish has.
    private func priced(_ selection: Selection, _ recorded: [LineOption], units: Int64) -> [LineOption] {
        guard !selection.entries.isEmpty else { return [] }
        let recorded = selection.aligned(recorded) ?? []
        let places = selection.entries.map { place(of: $0.option) }
        let free = freeUnits(selection, places)
        let options: [LineOption] = selection.entries.indices.map { index in
            let entry = selection.entries[index]
            let last = recorded.isEmpty ? nil : recorded[index]
            guard let place = places[index] else {
                return last
                    ?? LineOption(
                        entry, in: OptionGroupID(rawValue: 0), title: entry.option.description, price: .zero, total: 0, options: [])
            }
            let offered = self[place]
            // At most 99³ units at 10⁸, and a hundred totals of 10¹⁶.
            let below = offered.below.priced(entry.selection, last?.options ?? [], units: units * Int64(entry.quantity))
            let own = offered.option.price.minorUnits * Int64(entry.quantity - free[index]) * units
            return LineOption(
                entry, in: groups[place.group].group.id, title: offered.option.title, price: offered.option.price,
                total: below.reduce(own) { $0 + $1.total }, options: below)
        }
        return Self.inStaffOrder(options, places)
    }

    private static func inStaffOrder(_ options: [LineOption], _ places: [OptionPlace?]) -> [LineOption] {
        guard options.count > 1 else { return options }
        let last = OptionPlace(group: .max, option: .max)
        // By index too: Swift's sort does not promise to keep the order of equals.
        let order = options.indices.sorted { (places[$0] ?? last, $0) < (places[$1] ?? last, $1) }
        return order.map { options[$0] }
    }

    /// How many units of each entry cost nothing because they are included.
    private func freeUnits(_ selection: Selection, _ places: [OptionPlace?]) -> [Int] {
        var free = [Int](repeating: 0, count: places.count)
        for (index, group) in groups.enumerated() where group.group.included > 0 {
            func price(_ entry: Int) -> OptionPrice { places[entry].map { self[$0].option.price } ?? .zero }
            let charged = places.indices.filter { places[$0]?.group == index && price($0) > .zero }.sorted { price($0) < price($1) }
            var left = group.group.included
            for entry in charged {
                free[entry] = min(left, selection.entries[entry].quantity)
                left -= free[entry]
            }
        }
        return free
    }
}
