// Composes the units of a set from the chosen dishes and default dishes. Contains no prices and no validation of
// options.

/// Composes the units of a set, item by item in the order of the sales group.
enum SetComposition {
    /// A dish and the numbers of its units, counted from 1 for each item.
    struct Units {
        let dish: RawDish
        let numbers: ClosedRange<Int>
    }

    /// All units, and an error for each item with more chosen dishes than the set has units.
    /// - Parameters:
    ///   - items: the items of the set with their counts; an item may occur more than once.
    ///   - chosen: one dish for each unit that the guest chose.
    static func units(_ sale: SalesGroupID, _ items: [(MenuItemID, Int)], _ chosen: [RawDish]) -> (
        units: [Units], errors: [FieldError]
    ) {
        let counts = Dictionary(items, uniquingKeysWith: +)
        let chosen = Dictionary(grouping: chosen, by: \.menuItemID)
        let tooMany = Set(chosen.filter { $1.count > counts[$0] ?? 0 }.keys)
        var (units, seen) = ([Units](), tooMany)
        for (item, _) in items where seen.insert(item).inserted {
            let wanted = chosen[item] ?? []
            units += wanted.enumerated().map { Units(dish: $1, numbers: $0 + 1...$0 + 1) }
            let count = counts[item] ?? 0
            if wanted.count < count { units.append(Units(dish: RawDish(item), numbers: wanted.count + 1...count)) }
        }
        return (units, tooMany.map { FieldError(.saleItem(sale, $0), .itemNotInSale) })
    }
}
