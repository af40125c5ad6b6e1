// What the kitchen makes: an item as a guest chose it. Two units are one line exactly if their dishes are equal.
// Web reads a ChosenDish from a request, Basket/ makes a Dish of it; baskets and orders hold these in their lines. Read next: Line.swift,
// Options/Selection.swift.

/// An item, the options chosen with it, and a note for the kitchen.
package struct Dish: Sendable, Hashable {
    package let menuItemID: MenuItemID
    package let selection: Selection
    /// What the kitchen is asked for.
    package let note: KitchenNote?

    /// A dish; without more, the item alone.
    package init(_ menuItemID: MenuItemID, selection: Selection = .none, note: KitchenNote? = nil) {
        (self.menuItemID, self.selection, self.note) = (menuItemID, selection, note)
    }
}

/// A dish as a request describes it. What is wrong with it is told at once, so that a note that is none waits here for the options.
package struct ChosenDish: Sendable, Hashable {
    package let menuItemID: MenuItemID
    /// Nil: as by default.
    package let options: [ChosenOption]?
    /// What the kitchen is asked for.
    package let note: Result<KitchenNote?, FieldError>

    /// A dish as it was sent; without more, the item as it comes.
    package init(_ menuItemID: MenuItemID, options: [ChosenOption]? = nil, note: String? = nil) {
        (self.menuItemID, self.options) = (menuItemID, options)
        self.note = KitchenNote.parse(note ?? "")
    }
}
