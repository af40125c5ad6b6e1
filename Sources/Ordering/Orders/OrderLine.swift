// What was charged, item by item: a snapshot of titles and prices that no later change of the menu touches.
// Checkout makes the lines, the database stores them. Next: Order.swift, which holds them.

/// A line as it was charged.
package struct OrderLine: Sendable, Hashable {
    /// What was ordered, at the price that was charged.
    package let line: Line
    /// Its item, as it was when it was ordered.
    package let item: ItemSnapshot
    /// This line's share of the coupon's discount; the shares of all lines and sets' items add up to it.
    package let discount: Money
    /// This line's share of the tax of its rate; fees have the rest.
    package let tax: Money

    /// A line as it was charged.
    package init(_ line: Line, _ item: ItemSnapshot, discount: Money, tax: Money = .zero) {
        (self.line, self.item, self.discount, self.tax) = (line, item, discount, tax)
    }
}

/// The set of one sale, as it was charged.
package struct OrderSet: Sendable, Hashable {
    /// The sale.
    package let salesGroupID: SalesGroupID
    /// The sale's title when it was ordered.
    package let title: String
    /// The set's items.
    package let items: [OrderLine]

    /// A set as it was charged.
    package init(salesGroupID: SalesGroupID, title: String, items: [OrderLine]) {
        (self.salesGroupID, self.title, self.items) = (salesGroupID, title, items)
    }

    /// All items together, before the coupon's discount.
    package var total: Money { Money.sum(items.map(\.line.total)) }
}
