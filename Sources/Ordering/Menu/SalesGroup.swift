// A promotion of the home screen: information only, or a set of menu items that is added to the basket in one step.

/// A promotion ("sale") of the home screen.
package struct SalesGroup: Sendable, Hashable {
    /// The number that staff assigned.
    package let id: SalesGroupID
    /// Up to 100 characters without markup.
    package let title: String
    /// Plain text, one line.
    package let headline: String
    /// Up to 2000 characters without markup.
    package let description: String
    /// The small picture; empty if there is no picture.
    package let previewImageURL: String
    /// The large picture; empty if there is no picture.
    package let backgroundImageURL: String
    /// The position among the sales groups, lowest first.
    package let position: Int
    /// True once it is over. It cannot be added any more, and a set in a basket cannot be ordered.
    package let isRetired: Bool
    /// The content: text, or a set.
    package let content: SalesContent

    package init(
        id: SalesGroupID, title: String, headline: String, description: String, previewImageURL: String,
        backgroundImageURL: String,
        position: Int, isRetired: Bool, content: SalesContent
    ) {
        (self.id, self.title, self.headline, self.description) = (id, title, headline, description)
        (self.previewImageURL, self.backgroundImageURL) = (previewImageURL, backgroundImageURL)
        (self.position, self.isRetired, self.content) = (position, isRetired, content)
    }

    func translated(_ text: TranslatedText) -> SalesGroup {
        SalesGroup(
            id: id, title: text.title ?? title, headline: text.headline ?? headline,
            description: text.description ?? description,
            previewImageURL: previewImageURL, backgroundImageURL: backgroundImageURL, position: position,
            isRetired: isRetired,
            content: content)
    }
}

/// The content of a sales group.
package enum SalesContent: Sendable, Hashable {
    /// Only text; nothing can be added to a basket.
    case information
    /// Menu items that are added to the basket together.
    case set([SetEntry])
}

/// One item of a set with its quantity: "Happy Saturday" has one entry of three BBQ Burgers.
package struct SetEntry: Sendable, Hashable {
    package let menuItemID: MenuItemID
    /// The units of the item, 1…99.
    package let quantity: Int

    /// The entry, or nil if the quantity lies outside 1…99.
    package init?(menuItemID: MenuItemID, quantity: Int) {
        guard (1...99).contains(quantity) else { return nil }
        (self.menuItemID, self.quantity) = (menuItemID, quantity)
    }
}
