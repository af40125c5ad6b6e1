// The key that a storefront creates for one checkout attempt and repeats with every retry.

/// 1…255 printable ASCII characters, compared exactly. The same text with another basket is a different key.
package struct CheckoutIdempotencyKey: Hashable, Sendable {
    /// The text as sent.
    package let text: String

    /// Why a header is rejected.
    package enum ParseError: String, Error, Hashable, Sendable {
        case missing = "idempotency_key_missing"
        case invalid = "idempotency_key_invalid"
    }

    /// Parses the header; nil or empty text counts as missing.
    package static func parse(_ text: String?) -> Result<CheckoutIdempotencyKey, ParseError> {
        guard let text, !text.isEmpty else { return .failure(.missing) }
        guard text.utf8.count <= 255, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }), !text.isBlank else {
            return .failure(.invalid)
        }
        return .success(CheckoutIdempotencyKey(text: text))
    }
}
