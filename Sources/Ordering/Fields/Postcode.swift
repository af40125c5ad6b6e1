// The postcode that an order is delivered to. Parsed by CheckoutForm, looked up in Delivery/DeliveryAreas.swift.

/// A postcode of any country: letters and digits, with spaces and hyphens between them.
package struct Postcode: Hashable, Sendable {
    /// Tidied: in upper case, with single spaces.
    package let text: String
    /// What postcodes are compared by: the letters and digits alone, 1…12.
    package let comparable: String

    /// Reads a postcode; nil when blank, else `invalid_postcode`.
    package static func parse(_ text: String) -> Result<Postcode?, FieldError> {
        let invalid = Result<Postcode?, FieldError>.failure(FieldError(.postcode, .invalidPostcode))
        // Whatever lies between its signs, no postcode is as long.
        guard text.utf8.count <= 64 else { return invalid }
        let words = text.withoutInvisibles.split(whereSeparator: \.isWhitespace)
        guard !words.isEmpty else { return .success(nil) }
        let written = words.joined(separator: " ")
        // Before capitals are made of it: of ß they would be two.
        guard written.utf8.allSatisfy({ $0 < 0x80 }) else { return invalid }
        let tidied = written.uppercased()
        let comparable = tidied.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "-") }
        guard (1...12).contains(comparable.count), comparable.allSatisfy(\.isLetterOrDigit) else { return invalid }
        return .success(Postcode(text: tidied, comparable: String(decoding: comparable, as: UTF8.self)))
    }
}

extension UInt8 {
    /// A to Z or 0 to 9.
    fileprivate var isLetterOrDigit: Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
    }
}
