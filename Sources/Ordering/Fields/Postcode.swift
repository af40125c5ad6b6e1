// The postcode of a delivery.

/// A postcode of any country: letters and digits, with spaces and hyphens between them.
package struct Postcode: Hashable, Sendable {
    /// Normalised: upper case, single spaces.
    package let text: String
    /// The letters and digits alone, 1…12, for comparison.
    package let comparisonKey: String

    /// Parses a postcode; nil if blank, else `invalid_postcode`.
    package static func parse(_ text: String) -> Result<Postcode?, FieldError> {
        let invalid = Result<Postcode?, FieldError>.failure(FieldError(.postcode, .invalidPostcode))
        // No postcode is longer than 64 bytes, even with separators.
        guard text.utf8.count <= 64 else { return invalid }
        let words = text.withoutInvisibles.split(whereSeparator: \.isWhitespace)
        guard !words.isEmpty else { return .success(nil) }
        let joined = words.joined(separator: " ")
        // Checked before upper-casing, because upper-casing turns ß into SS.
        guard joined.utf8.allSatisfy({ $0 < 0x80 }) else { return invalid }
        let uppercased = joined.uppercased()
        let comparable = uppercased.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "-") }
        guard (1...12).contains(comparable.count), comparable.allSatisfy(\.isUppercaseLetterOrDigit) else {
            return invalid
        }
        return .success(Postcode(text: uppercased, comparisonKey: String(decoding: comparable, as: UTF8.self)))
    }
}

extension UInt8 {
    /// A to Z or 0 to 9.
    fileprivate var isUppercaseLetterOrDigit: Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
    }
}
