// What was charged, item by item: a snapshot of titles and prices that no later change of the menu touches.
// Checkout makes the lines, the database stores them. Next: Order.swift, which holds them.

/// So many of one menu item, as it was charged.
package struct OrderLine: Sendable, Hashable {
    /// The item.
    package let menuItemID: MenuItemID
    /// The item's kind when it was ordered.
    package let kind: MenuItemKind
    /// The item's title when it was ordered.
    package let title: String
    /// 1…99.
    package let quantity: Int
    /// The price of one before its sale percent.
    package let regularUnitPrice: Money
    /// The price of one.
    package let unitPrice: Money
    /// This line's share of the coupon's discount; the shares of all lines and sets' items add up to it.
    package let discount: Money

    /// A line as it was charged.
    package init(
        menuItemID: MenuItemID, kind: MenuItemKind, title: String, quantity: Int, regularUnitPrice: Money, unitPrice: Money, discount: Money
    ) {
        (self.menuItemID, self.kind, self.title, self.quantity) = (menuItemID, kind, title, quantity)
        (self.regularUnitPrice, self.unitPrice, self.discount) = (regularUnitPrice, unitPrice, discount)
    }

    /// Unit price × quantity, before the coupon's discount.
    package var total: Money { unitPrice * quantity }
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
    package var total: Money { Money.sum(items.map(\.total)) }
}
