// A heading of the menu: Combo, Burgers, Fries, Beverages, Sauces.

/// A heading of the menu.
package struct Category: Sendable, Hashable {
    /// The number that staff assigned; the ids of its items start with it.
    package let id: CategoryID
    /// Up to 60 characters without markup.
    package let title: String
    /// A path on this server or an absolute URL; empty if there is no picture.
    package let imageURL: String
    /// The position among the categories, lowest first.
    package let position: Int

    package init(id: CategoryID, title: String, imageURL: String, position: Int) {
        (self.id, self.title, self.imageURL, self.position) = (id, title, imageURL, position)
    }

    func translated(_ text: TranslatedText) -> Category {
        Category(id: id, title: text.title ?? title, imageURL: imageURL, position: position)
    }
}
