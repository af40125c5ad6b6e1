// What a basket takes from stock, dish by dish, at the paths where it is told of. Used by DishesThen. Next: Stock/StockDemand.swift.

extension Basket {
    /// Whether it takes something that is counted.
    package func isCounted(in stock: StockLeft) -> Bool {
        !stock.isUntracked && stockedDishes.contains { dish in dish.uses.contains { stock[$0.thing] != nil } }
    }

    /// What it takes that is counted.
    func things(countedIn stock: StockLeft) -> Set<StockedThing> {
        stock.isUntracked ? [] : Set(stockedDishes.lazy.flatMap(\.uses).map(\.thing).filter { stock[$0] != nil })
    }

    /// Its lines, then the items of its sets.
    var stockedDishes: [StockedDish] {
        let single = lines.map { StockedDish(.line($0.id), $0) }
        let inSets = sets.flatMap { set in set.items.map { StockedDish(.saleItem(set.salesGroupID, $0.dish.menuItemID), $0) } }
        return single + inSets
    }
}

extension StockedDish {
    init(_ path: FieldPath, _ line: Line) {
        self.init(path, line.dish.menuItemID, quantity: Int64(line.quantity), options: line.dish.selection.units(of: 1))
    }
}

extension Selection {
    /// All options on all levels, with the units of each in so many of what it is chosen with: at most 99³.
    fileprivate func units(of many: Int64) -> [(id: OptionID, units: Int64)] {
        entries.flatMap { entry in
            let units = many * Int64(entry.quantity)
            return [(entry.option, units)] + entry.selection.units(of: units)
        }
    }
}
