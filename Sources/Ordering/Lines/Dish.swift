// A menu item as a guest chose it. Two units belong to the same line if and only if their dishes are equal.

/// A menu item with its selected options and a kitchen note.
package struct Dish: Sendable, Hashable {
    package let menuItemID: MenuItemID
    package let selection: Selection
    /// The guest's request to the kitchen.
    package let note: KitchenNote?

    /// The defaults are no options and no note.
    package init(_ menuItemID: MenuItemID, selection: Selection = .none, note: KitchenNote? = nil) {
        (self.menuItemID, self.selection, self.note) = (menuItemID, selection, note)
    }
}

/// A dish as a request describes it. An invalid note is kept, so that it is reported together with invalid options.
package struct RawDish: Sendable, Hashable {
    package let menuItemID: MenuItemID
    /// Nil: the default options.
    package let options: [RawOptionChoice]?
    /// The guest's request to the kitchen, or its error.
    package let note: Result<KitchenNote?, FieldError>

    /// The defaults are the default options and no note.
    package init(_ menuItemID: MenuItemID, options: [RawOptionChoice]? = nil, note: String? = nil) {
        (self.menuItemID, self.options) = (menuItemID, options)
        self.note = KitchenNote.parse(note ?? "")
    }
}
