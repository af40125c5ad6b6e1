// A promotion of the home screen: information only, or a set of menu items that goes into the basket in one step.
// Menu lists them; Basket/BasketChange.swift adds a set.

/// A promotion ("sale") of the home screen.
package struct SalesGroup: Sendable, Hashable {
    /// Staff's number.
    package let id: SalesGroupID
    /// Up to 100 characters without markup.
    package let title: String
    /// Plain text, one line.
    package let headline: String
    /// Up to 2000 characters without markup.
    package let description: String
    /// The small picture; empty where there is none.
    package let previewImageURL: String
    /// The large picture; empty where there is none.
    package let backgroundImageURL: String
    /// Its place among the sales, lowest first.
    package let position: Int
    /// True once it is over. It can't be added any more, and a set that is in a basket can't be ordered.
    package let isRetired: Bool
    /// What it promises.
    package let content: SalesContent

    package init(
        id: SalesGroupID, title: String, headline: String, description: String, previewImageURL: String, backgroundImageURL: String,
        position: Int, isRetired: Bool, content: SalesContent
    ) {
        (self.id, self.title, self.headline, self.description) = (id, title, headline, description)
        (self.previewImageURL, self.backgroundImageURL) = (previewImageURL, backgroundImageURL)
        (self.position, self.isRetired, self.content) = (position, isRetired, content)
    }

    func translated(_ text: TranslatedText) -> SalesGroup {
        SalesGroup(
            id: id, title: text.title ?? title, headline: text.headline ?? headline, description: text.description ?? description,
            previewImageURL: previewImageURL, backgroundImageURL: backgroundImageURL, position: position, isRetired: isRetired,
            content: content)
    }
}

/// What a sales group promises.
package enum SalesContent: Sendable, Hashable {
    /// Only text; there is nothing to add to a basket.
    case information
    /// Menu items that go into the basket together.
    case set([SetEntry])
}

/// One item of a set, with how often it stands in it: "Happy Saturday" is one entry of three BBQ Burgers.
package struct SetEntry: Sendable, Hashable {
    /// The item.
    package let menuItemID: MenuItemID
    /// How many of it, 1…99.
    package let quantity: Int

    /// The entry, or nil if the quantity lies outside 1…99.
    package init?(menuItemID: MenuItemID, quantity: Int) {
        guard (1...99).contains(quantity) else { return nil }
        (self.menuItemID, self.quantity) = (menuItemID, quantity)
    }
}
