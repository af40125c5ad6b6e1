// The address to which an order is delivered.

/// One line of plain text, normalised like a name. `<` and `>` are rejected, because they may be mark-up.
package struct DeliveryAddress: Hashable, Sendable {
    /// 6…200 characters (Unicode scalars), at most 800 bytes.
    package let text: String

    private static let limit = TextLimit(characters: 200, bytes: 800)
    private static let minimum = 6
    private static let invalid = FieldError(.address, .invalidAddress, ["minimum": .integer(Int64(minimum))])

    /// Parses an address: `required` if blank, else `invalid_address` or `too_long`.
    ///
    /// Accepts letters, digits, marks, punctuation and symbols of any script. Requires at least six characters
    /// (grapheme clusters) and among them a letter or a digit.
    package static func parse(_ text: String) -> Result<DeliveryAddress, FieldError> {
        normalizedLine(text, .address, limit, invalid: invalid) { scalar, previous in
            scalar == "<" || scalar == ">" ? .refused : scalar.kind(after: previous)
        }.flatMap { line in
            guard line.text.count >= minimum, line.hasLetter || line.hasDigit else { return .failure(invalid) }
            return .success(DeliveryAddress(text: capitalised(line.text)))
        }
    }
}
