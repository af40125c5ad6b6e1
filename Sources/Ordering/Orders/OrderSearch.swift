// What staff look for when a guest calls: a number, a name or a phone, as it is said. The database looks, Web reads the words.

/// What an order has to have.
package struct OrderSearch: Sendable, Hashable {
    /// In lower case: part of the guest's name.
    package let name: String
    /// The digits in it: the number's beginning, or part of the phone; nil where it says something else.
    package let digits: String?

    /// Nil for blank words.
    package init?(_ words: String) {
        let tidied = words.split(separator: " ").joined(separator: " ")
        guard !tidied.isEmpty else { return nil }
        name = tidied.lowercased()
        let digits = tidied.unicodeScalars.filter { ("0"..."9").contains($0) }
        let isNumber = tidied.unicodeScalars.allSatisfy { ("0"..."9").contains($0) || " +-()/.#".unicodeScalars.contains($0) }
        self.digits = isNumber && digits.count >= 3 ? String(String.UnicodeScalarView(digits)) : nil
    }
}
