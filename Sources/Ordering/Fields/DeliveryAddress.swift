// Where the order goes. Parsed by CheckoutForm, printed on the bill.
// Read next: ScalarKinds.swift (what a letter is), Capitals.swift (how it is tidied).

/// One line of plain text, tidied as a name is. Mark-up is refused: `<` and `>` have no place in an address.
package struct DeliveryAddress: Hashable, Sendable {
    /// 6…200 characters (Unicode scalars), at most 800 bytes.
    package let text: String

    private static let limit = TextLimit(characters: 200, bytes: 800)
    private static let minimum = 6
    private static let invalid = FieldError(.address, .invalidAddress, ["minimum": .integer(Int64(minimum))])

    /// Reads an address; `required` when blank, else `invalid_address` or `too_long`.
    ///
    /// Letters, digits, marks, punctuation and symbols of any script; at least six characters, as a guest counts them, and among them
    /// a letter or a digit.
    package static func parse(_ text: String) -> Result<DeliveryAddress, FieldError> {
        readLine(text, .address, limit, invalid: invalid) { scalar, previous in
            scalar == "<" || scalar == ">" ? .refused : scalar.kind(after: previous)
        }.flatMap { line in
            guard line.text.count >= minimum, line.hasLetter || line.hasDigit else { return .failure(invalid) }
            return .success(DeliveryAddress(text: capitalised(line.text)))
        }
    }
}
