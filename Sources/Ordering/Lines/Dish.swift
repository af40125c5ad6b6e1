// What the kitchen makes: an item as a guest chose it. Two units are one line exactly if their dishes are equal.
// Web reads it from a request; baskets and orders hold it in their lines. Read next: Line.swift.

/// An item, the options chosen with it, and a note for the kitchen.
package struct Dish: Sendable, Hashable {
    package let menuItemID: MenuItemID
    package let selection: Selection
    /// What the kitchen is asked for.
    package let note: KitchenNote?

    /// A dish; without more, the item as it comes.
    package init(_ menuItemID: MenuItemID, selection: Selection = .none, note: KitchenNote? = nil) {
        (self.menuItemID, self.selection, self.note) = (menuItemID, selection, note)
    }

    /// Reads a dish as a request gives it; everything that is wrong at once, at the paths `options` and `note`.
    package static func parse(_ item: MenuItemID, options: [Int64]?, note: String?) -> Result<Dish, FieldErrors> {
        let selection = Selection.parse(options)
        let note = KitchenNote.parse(note ?? "")
        switch (selection, note) {
        case (.success(let selection), .success(let note)): return .success(Dish(item, selection: selection, note: note))
        case (.failure(let error), .success): return .failure(FieldErrors(error))
        case (.success, .failure(let error)): return .failure(FieldErrors(error))
        case (.failure(let first), .failure(let second)): return .failure(FieldErrors(FieldErrors(first), second))
        }
    }
}

/// The options chosen with an item. No item of the menu has any to choose from, so nothing but the empty selection is one.
package struct Selection: Sendable, Hashable {
    /// Nothing chosen: the item as it comes.
    package static let none = Selection()

    private init() {}

    /// Reads the ids of the options as a request gives them; nil, all by default, is the same as none.
    package static func parse(_ options: [Int64]?) -> Result<Selection, FieldError> {
        (options ?? []).isEmpty ? .success(.none) : .failure(FieldError(.options, .optionUnknown))
    }
}
