// The languages of the shop, and the choice of one for a client.

/// A language range of Accept-Language with its weight (RFC 9110, section 12.5.4).
package struct LanguageRange: Sendable, Hashable {
    /// Nil matches every language that no other range names.
    package let tag: LanguageTag?
    /// In thousandths, 0…1000; 0 excludes the language.
    package let weight: Int

    /// The weight is clamped to 0…1000.
    package init(_ tag: LanguageTag?, weight: Int = 1000) {
        (self.tag, self.weight) = (tag, min(max(weight, 0), 1000))
    }
}

/// The languages of a shop, at least one.
package struct ShopLanguages: Sendable, Hashable {
    /// The language of the menu's own texts.
    package let own: LanguageTag
    /// The own language, then the others in the shop's order, without duplicates.
    package let all: [LanguageTag]
    /// The normalised tag of each language of `all`.
    private let normalized: [LanguageTag]

    /// The languages of a shop that has configured nothing.
    package static let english = ShopLanguages(own: .english)

    package init(own: LanguageTag, others: [LanguageTag] = []) {
        self.own = own
        all = others.reduce([own]) { $0.contains($1) ? $0 : $0 + [$1] }
        normalized = all.map(\.normalized)
    }

    /// Chooses the language for a client: the best match of the range with the highest weight, else of the next one;
    /// the shop's own language if nothing matches. Ranges of equal weight are tried in their order.
    ///
    /// A range matches, in this order:
    /// 1. the language itself, or a prefix of its tag (RFC 4647, section 3.4: de-CH gets de), also under another name
    ///    (zh-TW gets zh-Hant, no gets nb);
    /// 2. the first variant of the language (pt and pt-PT get pt-BR);
    /// 3. a related language. A language with a weight of 0 is never chosen.
    package func best(for ranges: [LanguageRange]) -> LanguageTag {
        let hasExclusions = ranges.contains { $0.weight == 0 }
        let offered = hasExclusions ? all.filter { !isExcluded($0, by: ranges) } : all
        let wanted = ranges.enumerated().filter { $1.weight > 0 }.sorted {
            ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset)
        }
        for (_, range) in wanted {
            let match: LanguageTag?
            if let tag = range.tag {
                match =
                    self.match(for: tag, of: offered)
                    ?? tag.relatedLanguage.flatMap { self.match(for: $0, of: offered) }
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
        for tag in wanted { if let match = first(where: { $0.isVariant(of: tag) }) { return match } }
        return nil
    }

    /// Whether the client excludes the language, by the most specific range that names it, or else by the wildcard.
    private func isExcluded(_ language: LanguageTag, by ranges: [LanguageRange]) -> Bool {
        let named = ranges.filter { $0.names(language) }.max {
            ($0.tag?.text.utf8.count ?? 0, $0.weight) < ($1.tag?.text.utf8.count ?? 0, $1.weight)
        }
        return (named ?? ranges.first { $0.tag == nil })?.weight == 0
    }
}

extension LanguageRange {
    fileprivate func names(_ language: LanguageTag) -> Bool {
        guard let tag else { return false }
        return language.isVariant(of: tag) || language.normalized.isVariant(of: tag.normalized)
    }
}
