// The texts that a guest can add to a dish. Dishes with different texts are not equal.

/// A text of a dish by its name in a request. The order of the cases is the order of the errors.
package enum DishText: String, CaseIterable, Sendable {
    case note
}

/// The validated texts of a dish.
package struct DishTexts: Hashable, Sendable {
    /// The guest's request to the kitchen.
    package var note: KitchenNote?

    package init(note: KitchenNote? = nil) { self.note = note }
}

/// The texts of a request. An invalid text is kept, so that it is reported together with invalid options.
package struct RawDishTexts: Hashable, Sendable {
    /// The note or its error; nil keeps the note of a line.
    package let note: Result<KitchenNote?, FieldError>?

    /// The texts as sent. An outer nil keeps the text of a line, an inner nil removes it.
    package init(note: String?? = nil) { self.note = note.map { KitchenNote.parse($0 ?? "") } }

    /// The texts of a dish after this request, or all errors.
    func applied(to old: DishTexts) -> Result<DishTexts, FieldErrors> {
        var texts = old
        var errors: [FieldError] = []
        switch note {
        case .success(let note)?: texts.note = note
        case .failure(let error)?: errors.append(error)
        case nil: break
        }
        if let errors = FieldErrors(errors) { return .failure(errors) }
        return .success(texts)
    }
}
