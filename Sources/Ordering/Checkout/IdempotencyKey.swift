// The key a storefront makes for one try to order, sent again with every repetition. Parsed by Web, stored with the order.

/// 1…255 printable ASCII characters, compared exactly. It belongs to its basket: with another basket it is another matter.
package struct IdempotencyKey: Hashable, Sendable {
    /// As it was sent.
    package let text: String

    /// Why a header is no key.
    package enum Refusal: String, Error, Hashable, Sendable {
        case missing = "idempotency_key_missing"
        case invalid = "idempotency_key_invalid"
    }

    /// Reads the header's value; nil or empty is missing.
    package static func parse(_ text: String?) -> Result<IdempotencyKey, Refusal> {
        guard let text, !text.isEmpty else { return .failure(.missing) }
        guard text.utf8.count <= 255, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }), !text.isBlank else { return .failure(.invalid) }
        return .success(IdempotencyKey(text: text))
    }
}
