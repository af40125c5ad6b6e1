// The titles of total lines other than coupons and taxes: the texts of staff, or the built-in titles of `TotalKind`.

extension TotalKind {
    /// The built-in title in English, German or Spanish, whatever the region. Nil in other languages, and for the kinds
    /// whose titles staff write.
    package func builtInTitle(in language: LanguageTag) -> String? {
        (Self.titles[language.text] ?? language.fallbacks.last.flatMap { Self.titles[$0.text] })?[self]
    }
}

/// The titles of total lines in one language.
package struct TotalTitles: Sendable, Hashable {
    /// The titles of a shop that has configured nothing.
    static let english = TotalTitles(Translations(), in: .english, own: .english)

    private let titles: [TotalKind: String]
    /// The kinds without a title in this language.
    private let untranslated: Set<TotalKind>
    private let language, own: LanguageTag

    /// Uses the text of staff, else the built-in title. Without either, uses the shop's own language, else English.
    init(_ translations: Translations, in language: LanguageTag, own: LanguageTag) {
        func title(_ kind: TotalKind, _ language: LanguageTag) -> String? {
            translations.text(of: .totals, kind.translationID, in: language).title ?? kind.builtInTitle(in: language)
        }
        var (titles, untranslated): ([TotalKind: String], Set<TotalKind>) = ([:], [])
        for kind in TotalKind.allCases {
            guard let word = kind.builtInTitle(in: .english) else { continue }
            if let title = title(kind, language) {
                titles[kind] = title
            } else {
                titles[kind] = title(kind, own) ?? word
                untranslated.insert(kind)
            }
        }
        (self.titles, self.untranslated, self.language, self.own) = (titles, untranslated, language, own)
    }

    /// The title of this kind.
    subscript(kind: TotalKind) -> String { titles[kind] ?? kind.rawValue }

    /// The language of totals with these kinds: the shop's own if one of their titles is not translated.
    func language(of kinds: some Sequence<TotalKind>) -> LanguageTag {
        kinds.contains(where: untranslated.contains) ? own : language
    }
}
