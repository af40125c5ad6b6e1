// The languages that a shop can be read in, and which of them a client gets. Menu holds them; Web reads what the client wants from
// Accept-Language.

/// A language that a client takes, and how much it wants it (RFC 9110, section 12.5.4).
package struct LanguageRange: Sendable, Hashable {
    /// Nil stands for every language that no other range names.
    package let tag: LanguageTag?
    /// In thousandths, 0…1000; at 0 it is not wanted.
    package let weight: Int

    /// A range; the weight is taken for the nearest from 0 to 1000.
    package init(_ tag: LanguageTag?, weight: Int = 1000) {
        (self.tag, self.weight) = (tag, min(max(weight, 0), 1000))
    }
}

/// The languages of a shop, at least one.
package struct ShopLanguages: Sendable, Hashable {
    /// The one that the menu's own texts are in.
    package let own: LanguageTag
    /// The own one, then the others in the shop's order, each once.
    package let all: [LanguageTag]

    /// The languages of a shop that has said nothing.
    package static let english = ShopLanguages(own: .english)

    /// A shop's languages.
    package init(own: LanguageTag, others: [LanguageTag] = []) {
        self.own = own
        all = others.reduce([own]) { $0.contains($1) ? $0 : $0 + [$1] }
    }

    /// The language for a client that takes these: the best match of the range that it wants most, or else of the next one; the shop's own
    /// where nothing matches, or nothing is asked for.
    ///
    /// A range's match is the language itself or what is left of it when its end is taken off (RFC 4647, section 3.4: who wants de-CH gets
    /// de); where there is neither, the first language that is a kind of it (who wants pt gets pt-BR). Ranges of equal weight count in their
    /// order. What is refused with a weight of 0 is chosen by no range.
    package func best(for ranges: [LanguageRange]) -> LanguageTag {
        let offered = all.filter { !isRefused($0, by: ranges) }
        let wanted = ranges.enumerated().filter { $1.weight > 0 }.sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
        for (_, range) in wanted {
            let match: LanguageTag?
            if let tag = range.tag {
                match = tag.fallbacks.first(where: offered.contains) ?? offered.first { $0.isKind(of: tag) }
            } else {
                match = offered.first { language in !ranges.contains { $0.names(language) } }
            }
            if let match { return match }
        }
        return own
    }

    /// By the range that names it most closely, or else by the one for all others.
    private func isRefused(_ language: LanguageTag, by ranges: [LanguageRange]) -> Bool {
        let named = ranges.filter { $0.names(language) }.max {
            ($0.tag?.text.utf8.count ?? 0, $0.weight) < ($1.tag?.text.utf8.count ?? 0, $1.weight)
        }
        return (named ?? ranges.first { $0.tag == nil })?.weight == 0
    }
}

extension LanguageRange {
    fileprivate func names(_ language: LanguageTag) -> Bool { tag.map(language.isKind) ?? false }
}
