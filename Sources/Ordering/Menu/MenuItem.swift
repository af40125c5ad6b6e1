// What a guest can order: one protocol, and behind it the three kinds, regular, discount and special.
// The database makes them, Menu holds them, baskets and checkouts ask them for their current price.
// Next: Menu.swift; SalesGroup.swift for the sets that special items belong to.

/// The three kinds of menu items, as written in SQL and JSON.
package enum MenuItemKind: String, Sendable, Hashable, CaseIterable {
    /// At its price.
    case regular
    /// At a price lowered by its sale percent.
    case discount
    /// Starred: lowered by its sale percent, and linked to its sale if it belongs to one.
    case special
}

/// What items of every kind have.
package struct MenuItemFacts: Sendable, Hashable {
    /// Staff's number.
    package let id: MenuItemID
    /// Where it stands on the menu.
    package let category: CategoryID
    /// Up to 100 characters without markup.
    package let title: String
    /// Up to 1000 characters without markup.
    package let description: String
    /// A path on this server or an absolute URL; empty where there is no picture.
    package let imageURL: String
    /// The regular price of one, before any sale percent.
    package let price: Money
    /// Plain words to filter by.
    package let tags: [String]
    /// False while it is sold out until further notice. Whether it can be had is what `Menu.availability(of:)` says.
    package let isAvailable: Bool
    /// Until when it is sold out, exclusive; nil: it is not.
    package let soldOutUntil: Instant?
    /// True once it is off the menu for good; baskets may still name it.
    package let isRetired: Bool
    /// Its place among all items, lowest first.
    package let position: Int
    /// What is known of its food, without any options.
    package let food: FoodFacts
    /// Shown in the place of its picture; nil: there is none.
    package let photograph: Photograph?

    package init(
        id: MenuItemID, category: CategoryID, title: String, description: String, imageURL: String, price: Money, tags: [String],
        isAvailable: Bool, soldOutUntil: Instant? = nil, isRetired: Bool, position: Int, food: FoodFacts = .unknown,
        photograph: Photograph? = nil
    ) {
        (self.id, self.category, self.title, self.description) = (id, category, title, description)
        (self.imageURL, self.price, self.tags) = (imageURL, price, tags)
        (self.isAvailable, self.soldOutUntil, self.isRetired, self.position) = (isAvailable, soldOutUntil, isRetired, position)
        (self.food, self.photograph) = (food, photograph)
    }

    fileprivate func translated(_ text: TranslatedText) -> MenuItemFacts {
        MenuItemFacts(
            id: id, category: category, title: text.title ?? title, description: text.description ?? description, imageURL: imageURL,
            price: price, tags: tags, isAvailable: isAvailable, soldOutUntil: soldOutUntil, isRetired: isRetired, position: position,
            food: food, photograph: photograph)
    }
}

/// A menu item of any kind.
package protocol MenuItem: Sendable {
    /// What items of every kind have.
    var facts: MenuItemFacts { get }
    /// Which of the three kinds it is.
    var kind: MenuItemKind { get }
    /// What is taken off the price; nil for a regular item.
    var salePercent: Percent? { get }
    /// The sale a special item belongs to; nil for the other kinds and for a special item on its own.
    var salesGroupID: SalesGroupID? { get }
    /// The same in other words, where there are any.
    func translated(_ text: TranslatedText) -> Self
}

extension MenuItem {
    package var id: MenuItemID { facts.id }
    package var category: CategoryID { facts.category }
    package var title: String { facts.title }
    package var description: String { facts.description }
    package var imageURL: String { facts.imageURL }
    package var price: Money { facts.price }
    package var tags: [String] { facts.tags }
    package var isRetired: Bool { facts.isRetired }
    package var position: Int { facts.position }
    package var photograph: Photograph? { facts.photograph }

    /// What one costs now: the price lowered by the sale percent, half up.
    package var currentPrice: Money { salePercent.map(price.reduced(by:)) ?? price }
    /// From when on the kitchen has it. What must be chosen with it is another matter: see `OfferedItem`.
    var availableFrom: AvailableFrom { AvailableFrom(isAvailable: facts.isAvailable && !isRetired, soldOutUntil: facts.soldOutUntil) }
}

/// An item at its price.
package struct RegularItem: MenuItem, Hashable {
    package let facts: MenuItemFacts
    package var kind: MenuItemKind { .regular }
    package var salePercent: Percent? { nil }
    package var salesGroupID: SalesGroupID? { nil }

    package init(_ facts: MenuItemFacts) {
        self.facts = facts
    }

    package func translated(_ text: TranslatedText) -> RegularItem { RegularItem(facts.translated(text)) }
}

/// An item at a lowered price.
package struct DiscountItem: MenuItem, Hashable {
    package let facts: MenuItemFacts
    private let percent: Percent
    package var kind: MenuItemKind { .discount }
    package var salePercent: Percent? { percent }
    package var salesGroupID: SalesGroupID? { nil }

    package init(_ facts: MenuItemFacts, salePercent: Percent) {
        (self.facts, percent) = (facts, salePercent)
    }

    package func translated(_ text: TranslatedText) -> DiscountItem { DiscountItem(facts.translated(text), salePercent: percent) }
}

/// A starred item at a lowered price, on its own or part of a sale.
package struct SpecialItem: MenuItem, Hashable {
    package let facts: MenuItemFacts
    private let percent: Percent
    package var kind: MenuItemKind { .special }
    package var salePercent: Percent? { percent }
    /// The sale it belongs to; nil where it stands on its own.
    package let salesGroupID: SalesGroupID?

    package init(_ facts: MenuItemFacts, salePercent: Percent, salesGroupID: SalesGroupID?) {
        (self.facts, percent, self.salesGroupID) = (facts, salePercent, salesGroupID)
    }

    package func translated(_ text: TranslatedText) -> SpecialItem {
        SpecialItem(facts.translated(text), salePercent: percent, salesGroupID: salesGroupID)
    }
}
