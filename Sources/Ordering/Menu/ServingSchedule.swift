// The items and categories that are only served at certain hours.

/// The serving hours of items and categories that have some.
package struct ServingSchedule: Sendable, Hashable {
    private let items: [MenuItemID: ServingHours]
    private let categories: [CategoryID: ServingHours]

    /// Without any hours, everything is always served.
    package init(items: [MenuItemID: ServingHours] = [:], categories: [CategoryID: ServingHours] = [:]) {
        (self.items, self.categories) = (items, categories)
    }

    /// The serving hours of an item: its own, or else its category's; nil: always served.
    func hours(of item: any MenuItem) -> ServingHours? { items[item.id] ?? categories[item.category] }

    /// The serving hours of all items and categories.
    var all: [ServingHours] { Array(items.values) + categories.values }
}
