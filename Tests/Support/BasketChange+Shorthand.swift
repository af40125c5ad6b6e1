// Shorthand for tests: basket changes of an item without options or a note, and the values of a line.

import Ordering

extension BasketChange {
    package static func addItem(_ item: MenuItemID, quantity: Int64) -> BasketChange {
        .addItem(RawDish(item), quantity: quantity)
    }
    package static func increment(_ item: MenuItemID) -> BasketChange { .increment(.item(item)) }
    package static func decrement(_ item: MenuItemID) -> BasketChange { .decrement(.item(item)) }
    package static func removeItem(_ item: MenuItemID) -> BasketChange { .removeItem(.item(item)) }
    package static func addSale(_ sale: SalesGroupID) -> BasketChange { .addSale(sale, []) }
}

extension PricedLine {
    package var menuItemID: MenuItemID { line.dish.menuItemID }
    package var title: String { item.title }
    package var quantity: Int { line.quantity }
    package var unitPrice: Money { line.unitPrice }
    package var total: Money { line.total }
}

extension OrderLine {
    package var menuItemID: MenuItemID { line.dish.menuItemID }
    package var title: String { item.title }
    package var quantity: Int { line.quantity }
    package var unitPrice: Money { line.unitPrice }
    package var total: Money { line.total }
}

extension Result {
    /// The failure, or nil on success.
    package var failure: Failure? { if case .failure(let failure) = self { failure } else { nil } }
}
