// Which items are served at certain hours only. Menu makes its offers by it. Read next: Hours/ServingHours.swift.

/// The hours of items and categories that have some.
package struct Serving: Sendable, Hashable {
    private let items: [MenuItemID: ServingHours]
    private let categories: [CategoryID: ServingHours]

    /// These; without any, all is always served.
    package init(items: [MenuItemID: ServingHours] = [:], categories: [CategoryID: ServingHours] = [:]) {
        (self.items, self.categories) = (items, categories)
    }

    /// An item's own, which stand instead of its category's; nil: it is always served.
    func hours(of item: any MenuItem) -> ServingHours? { items[item.id] ?? categories[item.category] }

    /// All of them.
    var all: [ServingHours] { Array(items.values) + categories.values }
}
