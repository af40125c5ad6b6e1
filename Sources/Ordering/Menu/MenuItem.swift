// The menu items that a guest can order: one protocol and its three kinds, regular, discount and special.

/// The three kinds of menu items, as in SQL and JSON.
package enum MenuItemKind: String, Sendable, Hashable, CaseIterable {
    /// Sold at its price.
    case regular
    /// Sold at its price less its sale percent.
    case discount
    /// Starred: sold at its price less its sale percent, and linked to its sales group if it has one.
    case special
}

/// The properties that items of every kind have.
package struct MenuItemDetails: Sendable, Hashable {
    /// The number that staff assigned.
    package let id: MenuItemID
    /// The category under which the item is listed.
    package let category: CategoryID
    /// Up to 100 characters without markup.
    package let title: String
    /// Up to 1000 characters without markup.
    package let description: String
    /// A path on this server or an absolute URL; empty if there is no picture.
    package let imageURL: String
    /// The regular price of one unit, before any sale percent.
    package let price: Money
    /// Plain words by which guests filter.
    package let tags: [String]
    /// False while it is sold out until further notice. `Menu.availability(of:)` decides whether it can be ordered.
    package let isAvailable: Bool
    /// The end of being sold out, exclusive; nil if it is not.
    package let soldOutUntil: Instant?
    /// True once it is permanently off the menu; baskets may still contain it.
    package let isRetired: Bool
    /// The position among all items, lowest first.
    package let position: Int
    /// The food information without any options.
    package let food: FoodInformation
    /// Shown instead of the picture; nil if there is no photograph.
    package let photograph: Photograph?

    package init(
        id: MenuItemID, category: CategoryID, title: String, description: String, imageURL: String, price: Money,
        tags: [String],
        isAvailable: Bool, soldOutUntil: Instant? = nil, isRetired: Bool, position: Int,
        food: FoodInformation = .unknown,
        photograph: Photograph? = nil
    ) {
        (self.id, self.category, self.title, self.description) = (id, category, title, description)
        (self.imageURL, self.price, self.tags) = (imageURL, price, tags)
        (self.isAvailable, self.soldOutUntil, self.isRetired, self.position) = (
            isAvailable, soldOutUntil, isRetired, position
        )
        (self.food, self.photograph) = (food, photograph)
    }

    fileprivate func translated(_ text: TranslatedText) -> MenuItemDetails {
        MenuItemDetails(
            id: id, category: category, title: text.title ?? title, description: text.description ?? description,
            imageURL: imageURL,
            price: price, tags: tags, isAvailable: isAvailable, soldOutUntil: soldOutUntil, isRetired: isRetired,
            position: position,
            food: food, photograph: photograph)
    }
}

/// A menu item of any kind.
package protocol MenuItem: Sendable {
    /// The properties that items of every kind have.
    var details: MenuItemDetails { get }
    /// The kind of the item.
    var kind: MenuItemKind { get }
    /// The reduction of the price; nil for a regular item.
    var salePercent: Percent? { get }
    /// The sales group of a special item; nil for the other kinds and for a special item without one.
    var salesGroupID: SalesGroupID? { get }
    /// The item with translated texts, as far as there are translations.
    func translated(_ text: TranslatedText) -> Self
}

extension MenuItem {
    package var id: MenuItemID { details.id }
    package var category: CategoryID { details.category }
    package var title: String { details.title }
    package var description: String { details.description }
    package var imageURL: String { details.imageURL }
    package var price: Money { details.price }
    package var tags: [String] { details.tags }
    package var isRetired: Bool { details.isRetired }
    package var position: Int { details.position }
    package var photograph: Photograph? { details.photograph }

    /// The current price of one unit: reduced by the sale percent, rounded half up.
    package var currentPrice: Money { salePercent.map(price.reduced(by:)) ?? price }
    /// The time from which staff offer the item. Required options may be available later: see `ResolvedItem`.
    var availableFrom: AvailableFrom {
        AvailableFrom(isAvailable: details.isAvailable && !isRetired, soldOutUntil: details.soldOutUntil)
    }
}

/// An item at its regular price.
package struct RegularItem: MenuItem, Hashable {
    package let details: MenuItemDetails
    package var kind: MenuItemKind { .regular }
    package var salePercent: Percent? { nil }
    package var salesGroupID: SalesGroupID? { nil }

    package init(_ details: MenuItemDetails) {
        self.details = details
    }

    package func translated(_ text: TranslatedText) -> RegularItem { RegularItem(details.translated(text)) }
}

/// An item at a reduced price.
package struct DiscountItem: MenuItem, Hashable {
    package let details: MenuItemDetails
    private let percent: Percent
    package var kind: MenuItemKind { .discount }
    package var salePercent: Percent? { percent }
    package var salesGroupID: SalesGroupID? { nil }

    package init(_ details: MenuItemDetails, salePercent: Percent) {
        (self.details, percent) = (details, salePercent)
    }

    package func translated(_ text: TranslatedText) -> DiscountItem {
        DiscountItem(details.translated(text), salePercent: percent)
    }
}

/// A starred item at a reduced price, with or without a sales group.
package struct SpecialItem: MenuItem, Hashable {
    package let details: MenuItemDetails
    private let percent: Percent
    package var kind: MenuItemKind { .special }
    package var salePercent: Percent? { percent }
    /// The sales group; nil if the item has none.
    package let salesGroupID: SalesGroupID?

    package init(_ details: MenuItemDetails, salePercent: Percent, salesGroupID: SalesGroupID?) {
        (self.details, percent, self.salesGroupID) = (details, salePercent, salesGroupID)
    }

    package func translated(_ text: TranslatedText) -> SpecialItem {
        SpecialItem(details.translated(text), salePercent: percent, salesGroupID: salesGroupID)
    }
}
