// Which dishes a set is made of: what was chosen for its units, and the others as they come. Called by BasketApplying.swift.
// Pure, and without prices.

/// The dishes of a set, item by item in the sale's order, equal ones together.
enum SetComposition {
    /// - Parameters:
    ///   - items: The set's items with their counts; an item may stand there more than once.
    ///   - chosen: One for each unit that somebody chose for.
    static func dishes(
        _ sale: SalesGroupID, _ items: [(MenuItemID, Int)], _ chosen: [Dish]
    ) -> Result<[(Dish, Int)], BasketRefusal> {
        let counts = Dictionary(items, uniquingKeysWith: +)
        let chosen = Dictionary(grouping: chosen, by: \.menuItemID)
        let tooMany = chosen.filter { $1.count > counts[$0] ?? 0 }.keys.map { FieldError(.saleItem(sale, $0), .itemNotInSale) }
        if let errors = FieldErrors(tooMany) { return .failure(.invalid(errors)) }

        var dishes: [(dish: Dish, count: Int)] = []
        func add(_ dish: Dish, _ count: Int) {
            if let index = dishes.firstIndex(where: { $0.dish == dish }) {
                dishes[index].count += count
            } else {
                dishes.append((dish, count))
            }
        }
        var seen: Set<MenuItemID> = []
        for (item, _) in items where seen.insert(item).inserted {
            let units = chosen[item] ?? []
            for unit in units { add(unit, 1) }
            let others = (counts[item] ?? 0) - units.count
            if others > 0 { add(Dish(item), others) }
        }
        return .success(dishes)
    }
}
