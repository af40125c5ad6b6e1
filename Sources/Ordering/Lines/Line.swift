// A line of a basket or an order: a dish with a quantity and a price.

/// A dish with a quantity and a price.
package struct Line: Sendable, Hashable {
    /// The permitted quantities.
    package static let quantities = 1...99

    /// Unique in its basket, including the lines of sets.
    package let id: LineID
    package let dish: Dish
    /// 1…99.
    package let quantity: Int
    /// The price of one unit with options: in a basket as last shown, in an order as charged.
    package let unitPrice: Money
    /// The selected options with the titles and prices at the time of `unitPrice`.
    package let options: [LineOption]

    /// The line, or nil if the quantity lies outside 1…99 or the options are not those of the dish.
    package init?(id: LineID, dish: Dish, quantity: Int, unitPrice: Money, options: [LineOption] = []) {
        guard Line.quantities.contains(quantity), dish.selection.matches(options) else { return nil }
        (self.id, self.dish, self.quantity, self.unitPrice, self.options) = (id, dish, quantity, unitPrice, options)
    }

    /// The line at the menu's prices, or nil if the quantity lies outside 1…99.
    /// - Parameters:
    ///   - offered: the item on the menu. The line keeps its price if this is nil or if the new price is too high.
    ///   - previousLine: the line of this dish, or of its item, with its previous price.
    init?(id: LineID, dish: Dish, quantity: Int, pricedBy offered: ResolvedItem?, previous previousLine: Line?) {
        let recorded = previousLine?.dish.selection == dish.selection ? previousLine?.options ?? [] : []
        if let offered, case let priced = offered.options.priced(dish.selection, recorded: recorded),
            let unitPrice = priced.unitPrice(offered.currentPrice)
        {
            self.init(id: id, dish: dish, quantity: quantity, unitPrice: unitPrice, options: priced.options)
        } else {
            self.init(
                id: id, dish: dish, quantity: quantity, unitPrice: previousLine?.unitPrice ?? .zero, options: recorded)
        }
    }

    /// The line at the menu's prices.
    func priced(by offered: ResolvedItem?) -> Line {
        // The fast path: most lines have no options and an unchanged price.
        if options.isEmpty, dish.selection.entries.isEmpty, let offered, offered.currentPrice == unitPrice {
            return self
        }
        return Line(id: id, dish: dish, quantity: quantity, pricedBy: offered, previous: self) ?? self
    }

    /// Unit price × quantity.
    package var total: Money { unitPrice * quantity }
}

/// The properties of an item that a line shows, as they were at one time.
package struct ItemSnapshot: Sendable, Hashable {
    package let kind: MenuItemKind
    package let title: String
    /// The price of one unit with options, before the item's sale percent. Shown crossed out if it differs.
    package let regularUnitPrice: Money

    package init(kind: MenuItemKind, title: String, regularUnitPrice: Money) {
        (self.kind, self.title, self.regularUnitPrice) = (kind, title, regularUnitPrice)
    }
}
