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
    /// The price of one: in a basket the one it was last shown at, in an order the one that was charged.
    package let unitPrice: Money

    /// The line, or nil if the quantity lies outside 1…99.
    package init?(id: LineID, dish: Dish, quantity: Int, unitPrice: Money) {
        guard Line.quantities.contains(quantity) else { return nil }
        (self.id, self.dish, self.quantity, self.unitPrice) = (id, dish, quantity, unitPrice)
    }

    private init(_ line: Line, unitPrice: Money) {
        (id, dish, quantity, self.unitPrice) = (line.id, line.dish, line.quantity, unitPrice)
    }

    /// The same at another price.
    package func priced(_ unitPrice: Money) -> Line { Line(self, unitPrice: unitPrice) }

    /// Unit price × quantity.
    package var total: Money { unitPrice * quantity }
}

/// What a line tells of its item, as it was at one moment.
package struct ItemSnapshot: Sendable, Hashable {
    package let kind: MenuItemKind
    package let title: String
    /// The price of one before its sale percent: crossed out where the line's is another.
    package let regularUnitPrice: Money

    package init(kind: MenuItemKind, title: String, regularUnitPrice: Money) {
        (self.kind, self.title, self.regularUnitPrice) = (kind, title, regularUnitPrice)
    }
}
