// Which units a set is made of: what was chosen for them, and the others as they come. Called by BasketApplying.swift, which judges them.
// Pure, and without prices.

/// The units of a set, item by item in the sale's order.
enum SetComposition {
    /// What is wanted of an item, by the numbers of the units that are wanted so, counted from 1 for each item.
    struct Units {
        let dish: ChosenDish
        let numbers: ClosedRange<Int>
    }

    /// All units; or what was chosen for more of an item than the set has of it.
    /// - Parameters:
    ///   - items: The set's items with their counts; an item may stand there more than once.
    ///   - chosen: One for each unit that somebody chose for.
    static func units(_ sale: SalesGroupID, _ items: [(MenuItemID, Int)], _ chosen: [ChosenDish]) -> (units: [Units], errors: [FieldError])
    {
        let counts = Dictionary(items, uniquingKeysWith: +)
        let chosen = Dictionary(grouping: chosen, by: \.menuItemID)
        let tooMany = Set(chosen.filter { $1.count > counts[$0] ?? 0 }.keys)
        var (units, seen) = ([Units](), tooMany)
        for (item, _) in items where seen.insert(item).inserted {
            let wanted = chosen[item] ?? []
            units += wanted.enumerated().map { Units(dish: $1, numbers: $0 + 1...$0 + 1) }
            let count = counts[item] ?? 0
            if wanted.count < count { units.append(Units(dish: ChosenDish(item), numbers: wanted.count + 1...count)) }
        }
        return (units, tooMany.map { FieldError(.saleItem(sale, $0), .itemNotInSale) })
    }
}
