// What a guest asks of the kitchen for one dish: "no onions". Parsed as part of a Dish, stored with the basket and the order.
// It is part of what a line is: the same item with another note is another line.

/// Plain text of one or more lines, stored as typed: whoever shows it escapes it for the place where it is shown.
package struct KitchenNote: Hashable, Sendable {
    /// 1…140 characters (Unicode scalars), at most 560 bytes; lines end with `\n`.
    package let text: String

    private static let limit = TextLimit(characters: 140, bytes: 560)

    /// Reads a note; nil when blank, else `too_long` or `invalid_note`.
    package static func parse(_ text: String) -> Result<KitchenNote?, FieldError> {
        readLines(text, .note, limit, invalid: FieldError(.note, .invalidNote)).map { $0.map(KitchenNote.init(text:)) }
    }

    /// The note that a row holds; nil if it can't have been written by us.
    package init?(stored text: String) {
        guard !text.isEmpty, text.unicodeScalars.count <= Self.limit.characters else { return nil }
        self.init(text: text)
    }

    private init(text: String) { self.text = text }
}
