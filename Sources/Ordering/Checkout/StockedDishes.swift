// What a basket takes from stock, dish by dish, at the paths where it is told of. Used by JudgedBasket. Next: Stock/StockDemand.swift.

extension Basket {
    /// Its lines, then the items of its sets.
    var stockedDishes: [StockedDish] {
        let single = lines.map { StockedDish(.line($0.id), $0) }
        let inSets = sets.flatMap { set in set.items.map { StockedDish(.saleItem(set.salesGroupID, $0.dish.menuItemID), $0) } }
        return single + inSets
    }
}

extension StockedDish {
    init(_ path: FieldPath, _ line: Line) { self.init(path, line.dish.menuItemID, quantity: Int64(line.quantity)) }
}
