// The stock demand of a basket, dish by dish, with the path at which a shortage is reported.

extension Basket {
    /// Whether the basket contains an item or an option with a stock count.
    package func hasCountedStock(in stock: StockLevels) -> Bool {
        !stock.isUntracked && dishDemands.contains { dish in dish.uses.contains { stock[$0.thing] != nil } }
    }

    /// The items and options in the basket that have a stock count.
    func stockKeys(countedIn stock: StockLevels) -> Set<StockKey> {
        stock.isUntracked ? [] : Set(dishDemands.lazy.flatMap(\.uses).map(\.thing).filter { stock[$0] != nil })
    }

    /// The demand of each line, then of each set item.
    var dishDemands: [DishDemand] {
        let lineDishes = lines.map { DishDemand(.line($0.id), $0) }
        let setDishes = sets.flatMap { set in
            set.items.map { DishDemand(.saleItem(set.salesGroupID, $0.dish.menuItemID), $0) }
        }
        return lineDishes + setDishes
    }
}

extension DishDemand {
    init(_ path: FieldPath, _ line: Line) {
        self.init(path, line.dish.menuItemID, quantity: Int64(line.quantity), options: line.dish.selection.units(of: 1))
    }
}

extension Selection {
    /// All options on all levels with their units, for `parentUnits` units of the parent; at most 99³ units each.
    fileprivate func units(of parentUnits: Int64) -> [(id: OptionID, units: Int64)] {
        entries.flatMap { entry in
            let units = parentUnits * Int64(entry.quantity)
            return [(entry.option, units)] + entry.selection.units(of: units)
        }
    }
}
