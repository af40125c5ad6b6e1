// The guest's request to the kitchen for one dish, such as "no onions". Dishes with different notes are not equal.

/// Plain text of one or more lines, stored as typed. Every output escapes it.
package struct KitchenNote: Hashable, Sendable {
    /// 1…140 characters (Unicode scalars), at most 560 bytes; lines end with `\n`.
    package let text: String

    private static let limit = TextLimit(characters: 140, bytes: 560)

    /// Parses a note; nil if blank, else `too_long` or `invalid_note`.
    package static func parse(_ text: String) -> Result<KitchenNote?, FieldError> {
        normalizedMultiline(text, .note, limit, invalid: FieldError(.note, .invalidNote)).map {
            $0.map(KitchenNote.init(text:))
        }
    }

    /// The stored note; nil if it is empty or too long.
    package init?(stored text: String) {
        guard !text.isEmpty, text.unicodeScalars.count <= Self.limit.characters else { return nil }
        self.init(text: text)
    }

    private init(text: String) { self.text = text }
}
