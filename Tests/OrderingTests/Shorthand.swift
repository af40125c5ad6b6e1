// Short forms for tests: an item id stands for a dish without a note, and lines have the properties of their dish.

@testable import Ordering

extension LineReference {
    /// The item's id, if the reference is by item.
    var itemID: Int64? { if case .item(let item) = self { item.rawValue } else { nil } }
}

extension BasketChange {
    static func addItem(_ item: MenuItemID, quantity: Int64) -> BasketChange {
        .addItem(RawDish(item), quantity: quantity)
    }
    static func increment(_ item: MenuItemID) -> BasketChange { .increment(.item(item)) }
    static func decrement(_ item: MenuItemID) -> BasketChange { .decrement(.item(item)) }
    static func removeItem(_ item: MenuItemID) -> BasketChange { .removeItem(.item(item)) }
    static func addSale(_ sale: SalesGroupID) -> BasketChange { .addSale(sale, []) }
}

extension RawDish {
    var noteText: String { (try? texts.note?.get())?.text ?? "" }
}

extension Line {
    var menuItemID: MenuItemID { dish.menuItemID }

    init?(_ id: Int64, _ item: MenuItemID, _ quantity: Int, _ unitPrice: Money) {
        self.init(id: LineID(rawValue: id), dish: Dish(item), quantity: quantity, unitPrice: unitPrice)
    }
}

extension PricedLine {
    var menuItemID: MenuItemID { line.dish.menuItemID }
    var kind: MenuItemKind { item.kind }
    var title: String { item.title }
    var quantity: Int { line.quantity }
    var unitPrice: Money { line.unitPrice }
    var regularUnitPrice: Money { item.regularUnitPrice }
    var total: Money { line.total }
}

extension OrderLine {
    var menuItemID: MenuItemID { line.dish.menuItemID }
    var kind: MenuItemKind { item.kind }
    var title: String { item.title }
    var quantity: Int { line.quantity }
    var unitPrice: Money { line.unitPrice }
    var regularUnitPrice: Money { item.regularUnitPrice }
    var total: Money { line.total }
}
