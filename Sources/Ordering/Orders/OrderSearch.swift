// A search by staff for an order number, a name or a phone number, as the caller says it.

/// The conditions that a found order meets.
package struct OrderSearch: Sendable, Hashable {
    /// Part of the guest's name, in lower case.
    package let name: String
    /// The start of the order number or a part of the phone number; nil unless the text is a number of at least
    /// three digits.
    package let digits: String?
    /// Prefixes of the phone number in E.164, for numbers as they are dialled: `0151` in Germany is `+49151`. One of
    /// them is the whole number if the text is.
    package let phonePrefixes: [String]

    /// Whether the text can be the first five digits of an order number or a whole phone number. Indexes find both.
    package var usesIndexes: Bool { digits.map { $0.utf8.count >= 5 } ?? false }

    /// A search; nil for blank text.
    /// - Parameter defaultCountry: the shop's ISO 3166-1 code, for phone numbers without a country.
    package init?(_ words: String, defaultCountry: String) {
        let words = words.withoutInvisibles
        let tidied = words.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !tidied.isEmpty else { return nil }
        name = tidied.lowercased()
        let scalars = tidied.unicodeScalars.map(\.halfWidth)
        let digits = String(String.UnicodeScalarView(scalars.compactMap(\.decimalDigit)))
        let isNumber = scalars.allSatisfy { $0.decimalDigit != nil || " +-()/.#~‐‑‒–−".unicodeScalars.contains($0) }
        guard isNumber, digits.utf8.count >= 3 else {
            (self.digits, phonePrefixes) = (nil, [])
            return
        }
        self.digits = digits
        let hasPlus = scalars.first { $0 == "+" || $0.decimalDigit != nil } == "+"
        var beginnings = PhoneNumber.possiblePrefixes(of: digits[...], hasPlus: hasPlus, defaultCountry: defaultCountry)
        if let phone = try? PhoneNumber.parse(tidied, defaultCountry: defaultCountry).get() {
            beginnings.insert(phone.e164)
        }
        phonePrefixes = beginnings.sorted()
    }
}
