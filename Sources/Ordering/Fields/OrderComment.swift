// The guest's message to the kitchen or the courier.

/// Plain text of one or more lines, stored as typed, so "<3" too. Every output escapes it.
package struct OrderComment: Hashable, Sendable {
    /// 1…500 characters (Unicode scalars), at most 2,000 bytes; lines end with `\n`.
    package let text: String

    private static let limit = TextLimit(characters: 500, bytes: 2_000)

    /// Parses a comment; nil if blank, else `too_long`, or `invalid_comment` for control characters.
    package static func parse(_ text: String) -> Result<OrderComment?, FieldError> {
        normalizedMultiline(text, .form(.comment), limit, invalid: FieldError(.comment, .invalidComment)).map {
            $0.map(OrderComment.init(text:))
        }
    }
}
