// The charged lines of an order: a snapshot of titles and prices that later changes of the menu do not affect.

/// A line as it was charged.
package struct OrderLine: Sendable, Hashable {
    /// The dish, the quantity and the charged price.
    package let line: Line
    /// The item when it was ordered.
    package let item: ItemSnapshot
    /// The line's share of the coupon's discount. The shares of all lines and set items add up to the discount.
    package let discount: Money
    /// The line's share of the tax of its rate. Fees have the remaining shares.
    package let tax: Money

    /// A line as it was charged.
    package init(_ line: Line, _ item: ItemSnapshot, discount: Money, tax: Money = .zero) {
        (self.line, self.item, self.discount, self.tax) = (line, item, discount, tax)
    }
}

/// A set as it was charged.
package struct OrderSet: Sendable, Hashable {
    /// The sales group.
    package let salesGroupID: SalesGroupID
    /// The title of the sales group when it was ordered.
    package let title: String
    /// The items of the set.
    package let items: [OrderLine]

    /// A set as it was charged.
    package init(salesGroupID: SalesGroupID, title: String, items: [OrderLine]) {
        (self.salesGroupID, self.title, self.items) = (salesGroupID, title, items)
    }

    /// The price of all items, before the coupon's discount.
    package var total: Money { Money.sum(items.map(\.line.total)) }
}
