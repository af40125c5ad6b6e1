// What staff look for when a guest calls: a number, a name or a phone, as it is said. The database looks, Web reads the words.

/// What an order has to have.
package struct OrderSearch: Sendable, Hashable {
    /// In lower case: part of the guest's name.
    package let name: String
    /// The digits in it: the number's beginning, or part of the phone; nil where it says something else.
    package let digits: String?
    /// The beginnings of the phone number in E.164, for a number that is typed as it is dialled: `0151` in Germany is
    /// `+49151`.
    package let phoneBeginnings: [String]

    /// Nil for blank words.
    /// - Parameter defaultCountry: the shop's, an ISO 3166-1 code; a phone without a country belongs to it.
    package init?(_ words: String, defaultCountry: String) {
        let words = words.withoutInvisibles
        let tidied = words.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !tidied.isEmpty else { return nil }
        name = tidied.lowercased()
        let scalars = tidied.unicodeScalars.map(\.narrow)
        let digits = String(String.UnicodeScalarView(scalars.compactMap(\.decimalDigit)))
        let isNumber = scalars.allSatisfy { $0.decimalDigit != nil || " +-()/.#~‐‑‒–−".unicodeScalars.contains($0) }
        guard isNumber, digits.utf8.count >= 3 else {
            (self.digits, phoneBeginnings) = (nil, [])
            return
        }
        self.digits = digits
        let hasPlus = scalars.first { $0 == "+" || $0.decimalDigit != nil } == "+"
        var beginnings = PhoneNumber.beginnings(digits[...], hasPlus: hasPlus, defaultCountry: defaultCountry)
        if let phone = try? PhoneNumber.parse(tidied, defaultCountry: defaultCountry).get() {
            beginnings.insert(phone.e164)
        }
        phoneBeginnings = beginnings.sorted()
    }
}
