// A line: so many of one dish at a price. Baskets store it, PricedLine shows it at the price of now, OrderLine as it was charged.
// Read next: Basket/Basket.swift.

/// So many of one dish.
package struct Line: Sendable, Hashable {
    /// How many a line can hold.
    package static let quantities = 1...99

    /// Unique in its basket, those of the sets too.
    package let id: LineID
    package let dish: Dish
    /// 1…99.
    package let quantity: Int
    /// The price of one with its options: in a basket the one it was last shown at, in an order the one that was charged.
    package let unitPrice: Money
    /// What was chosen, as it was when it had this price.
    package let options: [LineOption]

    /// The line, or nil if the quantity lies outside 1…99 or the options are others than the dish's.
    package init?(id: LineID, dish: Dish, quantity: Int, unitPrice: Money, options: [LineOption] = []) {
        guard Line.quantities.contains(quantity), dish.selection.agrees(with: options) else { return nil }
        (self.id, self.dish, self.quantity, self.unitPrice, self.options) = (id, dish, quantity, unitPrice, options)
    }

    /// The line at the prices of the menu, or nil if the quantity lies outside 1…99.
    /// - Parameters:
    ///   - offered: nil where the menu does not know the item: then the line keeps the price that it had, and so where it would be one that no dish can have.
    ///   - was: a line of this dish, or of its item, at the price that it had.
    init?(id: LineID, dish: Dish, quantity: Int, pricedBy offered: OfferedItem?, was: Line?) {
        let recorded = was?.dish.selection == dish.selection ? was?.options ?? [] : []
        if let offered, case let priced = offered.options.priced(dish.selection, recorded: recorded),
            let unitPrice = priced.unitPrice(offered.currentPrice)
        {
            self.init(id: id, dish: dish, quantity: quantity, unitPrice: unitPrice, options: priced.options)
        } else {
            self.init(id: id, dish: dish, quantity: quantity, unitPrice: was?.unitPrice ?? .zero, options: recorded)
        }
    }

    /// The same at the prices of the menu.
    func priced(by offered: OfferedItem?) -> Line {
        // Mostly nothing is chosen with it, and it costs what it did.
        if options.isEmpty, dish.selection.entries.isEmpty, let offered, offered.currentPrice == unitPrice { return self }
        return Line(id: id, dish: dish, quantity: quantity, pricedBy: offered, was: self) ?? self
    }

    /// Unit price × quantity.
    package var total: Money { unitPrice * quantity }
}

/// What a line tells of its item, as it was at one moment.
package struct ItemSnapshot: Sendable, Hashable {
    package let kind: MenuItemKind
    package let title: String
    /// The price of one with its options, before the item's sale percent: crossed out where the line's is another.
    package let regularUnitPrice: Money

    package init(kind: MenuItemKind, title: String, regularUnitPrice: Money) {
        (self.kind, self.title, self.regularUnitPrice) = (kind, title, regularUnitPrice)
    }
}
