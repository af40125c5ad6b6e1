// What the guest wants the kitchen or the courier to know. Parsed by CheckoutForm.

/// Plain text of one or more lines. It is stored as typed, "<3" too: whoever shows it escapes it for the place where it is shown.
package struct OrderComment: Hashable, Sendable {
    /// 1…500 characters (Unicode scalars), at most 2,000 bytes; lines end with `\n`.
    package let text: String

    private static let limit = TextLimit(characters: 500, bytes: 2_000)

    /// Reads a comment; nil when blank, `too_long`, or `invalid_comment` for control characters.
    package static func parse(_ text: String) -> Result<OrderComment?, FieldError> {
        readLines(text, .form(.comment), limit, invalid: FieldError(.comment, .invalidComment)).map { $0.map(OrderComment.init(text:)) }
    }
}
