// A menu item as a guest chose it. Two units belong to the same line if and only if their dishes are equal.

/// A menu item with its selected options and its texts.
package struct Dish: Sendable, Hashable {
    package let menuItemID: MenuItemID
    package let selection: Selection
    package let texts: DishTexts

    /// A dish with these texts.
    package init(_ menuItemID: MenuItemID, selection: Selection = .none, texts: DishTexts) {
        (self.menuItemID, self.selection, self.texts) = (menuItemID, selection, texts)
    }

    /// The defaults are no options and no note.
    package init(_ menuItemID: MenuItemID, selection: Selection = .none, note: KitchenNote? = nil) {
        self.init(menuItemID, selection: selection, texts: DishTexts(note: note))
    }

    /// The guest's request to the kitchen.
    package var note: KitchenNote? { texts.note }
}

/// A dish as a request describes it.
package struct RawDish: Sendable, Hashable {
    package let menuItemID: MenuItemID
    /// Nil: the default options.
    package let options: [RawOptionChoice]?
    package let texts: RawDishTexts

    /// A dish with these texts.
    package init(_ menuItemID: MenuItemID, options: [RawOptionChoice]? = nil, texts: RawDishTexts) {
        (self.menuItemID, self.options, self.texts) = (menuItemID, options, texts)
    }

    /// The defaults are the default options and no note.
    package init(_ menuItemID: MenuItemID, options: [RawOptionChoice]? = nil, note: String? = nil) {
        self.init(menuItemID, options: options, texts: RawDishTexts(note: .some(note)))
    }
}
