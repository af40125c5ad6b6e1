// The titles of total lines other than coupons and taxes: built-in words, or the texts that staff have written instead.

extension TotalKind {
    /// The built-in title in English, German or Spanish, whatever the region. Nil in other languages, and for the kinds
    /// whose titles staff write.
    package func builtInTitle(in language: LanguageTag) -> String? {
        (Self.words[language] ?? language.fallbacks.last.flatMap { Self.words[$0] })?[self]
    }

    /// The id in the table `totals`, by which staff translate it. Ids never change; a new kind gets the next free one.
    package var translationID: Int64 {
        switch self {
        case .subtotal: 1
        case .discount: 2
        case .deliveryFee: 3
        case .smallOrderFee: 4
        case .serviceCharge: 5
        case .tax: 6
        case .tip: 7
        case .total: 8
        }
    }

    private static let words: [LanguageTag: [TotalKind: String]] = [
        .english: [
            .subtotal: "Subtotal", .deliveryFee: "Delivery", .smallOrderFee: "Small order", .serviceCharge: "Service",
            .tip: "Tip",
            .total: "Total",
        ],
        .german: [
            .subtotal: "Zwischensumme", .deliveryFee: "Lieferung", .smallOrderFee: "Mindermengenzuschlag",
            .serviceCharge: "Service",
            .tip: "Trinkgeld", .total: "Gesamt",
        ],
        .spanish: [
            .subtotal: "Subtotal", .deliveryFee: "Entrega", .smallOrderFee: "Suplemento por pedido pequeño",
            .serviceCharge: "Servicio",
            .tip: "Propina", .total: "Total",
        ],
    ]
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
