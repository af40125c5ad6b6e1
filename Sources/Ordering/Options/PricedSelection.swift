// Prices the options of a selection, in the same way for basket lines, quotes and orders.

/// A selection with its prices.
///
/// A dish costs at most `Money.highestUnitPrice`, as in the tables of baskets and orders. Validation rejects options
/// above `highestTotal`, so that even the most expensive item stays below it and no price is ever cut off.
package struct PricedSelection: Sendable, Hashable {
    /// By position of the groups and their options; options that cannot be chosen any more come last.
    package let options: [LineOption]
    /// The price of the options in one unit of the dish; may be negative.
    let total: Int64

    /// The highest total of a dish's options.
    static let highestTotal = Money.highestUnitPrice.minorUnits - Money.highestPrice.minorUnits

    /// Options at the prices that a line has recorded.
    package init(recorded options: [LineOption]) {
        self.options = options
        // Cannot overflow: at most 100 totals of at most 10¹⁶ each.
        total = options.reduce(0) { $0 + $1.total }
    }

    /// The price of one unit of the dish with its options, at least zero. Nil if the options exceed `highestTotal`.
    package func unitPrice(_ item: Money) -> Money? {
        total <= Self.highestTotal ? Money(unchecked: max(item.minorUnits + total, 0)) : nil
    }
}

extension OptionTree {
    /// Prices a selection by the menu. An option that cannot be chosen any more keeps its recorded title and price.
    ///
    /// In each group, the included units are free: the cheapest of those with a price above zero, and among equal ones
    /// the first of the selection. Applies per unit of the group's parent; nested options cost their price per unit.
    /// - Parameter recorded: the recorded options of this selection, if any.
    func priced(_ selection: Selection, recorded: [LineOption] = []) -> PricedSelection {
        PricedSelection(recorded: priced(selection, recorded, units: 1))
    }

    /// - Parameter units: the number of units of the selection's parent in one unit of the dish; 1 for the dish itself.
    private func priced(_ selection: Selection, _ recorded: [LineOption], units: Int64) -> [LineOption] {
        guard !selection.entries.isEmpty else { return [] }
        let recorded = selection.aligned(recorded) ?? []
        let optionIndices = selection.entries.map { index(of: $0.option) }
        let free = freeUnits(selection, optionIndices)
        let options: [LineOption] = selection.entries.indices.map { index in
            let entry = selection.entries[index]
            let last = recorded.isEmpty ? nil : recorded[index]
            guard let optionIndex = optionIndices[index] else {
                return last
                    ?? LineOption(
                        entry, in: OptionGroupID(rawValue: 0), title: entry.option.description, price: .zero, total: 0,
                        options: [])
            }
            let offered = self[optionIndex]
            // Cannot overflow: at most 99³ units at 10⁸ each, and at most 100 totals of 10¹⁶.
            let below = offered.nestedOptions.priced(
                entry.selection, last?.options ?? [], units: units * Int64(entry.quantity))
            let own = offered.option.price.minorUnits * Int64(entry.quantity - free[index]) * units
            return LineOption(
                entry, in: groups[optionIndex.group].group.id, title: offered.option.title, price: offered.option.price,
                total: below.reduce(own) { $0 + $1.total }, options: below)
        }
        return Self.inStaffOrder(options, optionIndices)
    }

    private static func inStaffOrder(_ options: [LineOption], _ optionIndices: [OptionIndex?]) -> [LineOption] {
        guard options.count > 1 else { return options }
        let last = OptionIndex(group: .max, option: .max)
        // Also by index, because Swift's sort is not documented as stable.
        let order = options.indices.sorted { (optionIndices[$0] ?? last, $0) < (optionIndices[$1] ?? last, $1) }
        return order.map { options[$0] }
    }

    /// The number of units of each entry that are included in the price and therefore free.
    private func freeUnits(_ selection: Selection, _ optionIndices: [OptionIndex?]) -> [Int] {
        var free = [Int](repeating: 0, count: optionIndices.count)
        for (index, group) in groups.enumerated() where group.group.included > 0 {
            func price(_ entry: Int) -> OptionPrice { optionIndices[entry].map { self[$0].option.price } ?? .zero }
            let charged = optionIndices.indices.filter { optionIndices[$0]?.group == index && price($0) > .zero }.sorted
            { price($0) < price($1) }
            var remaining = group.group.included
            for entry in charged {
                free[entry] = min(remaining, selection.entries[entry].quantity)
                remaining -= free[entry]
            }
        }
        return free
    }
}
