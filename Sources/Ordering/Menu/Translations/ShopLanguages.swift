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
    /// Each of `all` as it is compared with what a client wants.
    private let normalized: [LanguageTag]

    /// The languages of a shop that has said nothing.
    package static let english = ShopLanguages(own: .english)

    /// A shop's languages.
    package init(own: LanguageTag, others: [LanguageTag] = []) {
        self.own = own
        all = others.reduce([own]) { $0.contains($1) ? $0 : $0 + [$1] }
        normalized = all.map(\.normalized)
    }

    /// The language for a client that takes these: the best match of the range that it wants most, or else of the next one; the shop's own
    /// where nothing matches, or nothing is asked for.
    ///
    /// A range matches the language itself, or what is left of its tag when subtags are removed from its end (RFC 4647,
    /// section 3.4: de-CH gets de), also under another name (zh-TW gets zh-Hant, no gets nb). Otherwise it matches the
    /// first language of the same kind (pt and pt-PT get pt-BR), and last a related one. Ranges of equal weight count
    /// in their order. A language that is refused with a weight of 0 is never chosen.
    package func best(for ranges: [LanguageRange]) -> LanguageTag {
        let refuses = ranges.contains { $0.weight == 0 }
        let offered = refuses ? all.filter { !isRefused($0, by: ranges) } : all
        let wanted = ranges.enumerated().filter { $1.weight > 0 }.sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
        for (_, range) in wanted {
            let match: LanguageTag?
            if let tag = range.tag {
                match = self.match(for: tag, of: offered) ?? tag.relative.flatMap { self.match(for: $0, of: offered) }
            } else {
                match = offered.first { language in !ranges.contains { $0.names(language) } }
            }
            if let match { return match }
        }
        return own
    }

    private func match(for tag: LanguageTag, of offered: [LanguageTag]) -> LanguageTag? {
        if offered.contains(tag) { return tag }
        func first(where isMatch: (LanguageTag) -> Bool) -> LanguageTag? {
            zip(all, normalized).first { isMatch($1) && offered.contains($0) }?.0
        }
        let wanted = tag.normalized.fallbacks
        for tag in wanted { if let match = first(where: { $0 == tag }) { return match } }
        if let match = tag.fallbacks.first(where: offered.contains) { return match }
        for tag in wanted { if let match = first(where: { $0.isKind(of: tag) }) { return match } }
        return nil
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
    fileprivate func names(_ language: LanguageTag) -> Bool {
        guard let tag else { return false }
        return language.isKind(of: tag) || language.normalized.isKind(of: tag.normalized)
    }
}
