// What the lines of a bill are called that are neither a coupon's nor a tax's: the program's own words, or what staff have written instead.
// Menu holds those of its language, Bill takes them from it, and mails and stored orders take the words. Read next: Totals/Bill.swift.

extension TotalKind {
    /// What it is called in English, German or Spanish, whatever the region; nil in other languages, and for what is staff's own to name.
    package func word(in language: LanguageTag) -> String? {
        (Self.words[language] ?? language.fallbacks.last.flatMap { Self.words[$0] })?[self]
    }

    /// The id that staff translate it by, as in the table `totals`: it stays when a kind is added, so a new one takes the next that is free.
    package var number: Int64 {
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
            .subtotal: "Subtotal", .deliveryFee: "Delivery", .smallOrderFee: "Small order", .serviceCharge: "Service", .tip: "Tip",
            .total: "Total",
        ],
        .german: [
            .subtotal: "Zwischensumme", .deliveryFee: "Lieferung", .smallOrderFee: "Mindermengenzuschlag", .serviceCharge: "Service",
            .tip: "Trinkgeld", .total: "Gesamt",
        ],
        .spanish: [
            .subtotal: "Subtotal", .deliveryFee: "Entrega", .smallOrderFee: "Suplemento por pedido pequeño", .serviceCharge: "Servicio",
            .tip: "Propina", .total: "Total",
        ],
    ]
}

/// The titles of one language.
package struct TotalTitles: Sendable, Hashable {
    /// Those of a shop that has said nothing.
    static let english = TotalTitles(Translations(), in: .english, own: .english)

    private let titles: [TotalKind: String]
    /// Those that stay in the shop's own language.
    private let left: Set<TotalKind>
    private let language, own: LanguageTag

    /// What staff have written, or else the program's word; in the shop's own language where there is neither, and in English where that has none.
    init(_ translations: Translations, in language: LanguageTag, own: LanguageTag) {
        func title(_ kind: TotalKind, _ language: LanguageTag) -> String? {
            translations.text(of: .totals, kind.number, in: language).title ?? kind.word(in: language)
        }
        var (titles, left): ([TotalKind: String], Set<TotalKind>) = ([:], [])
        for kind in TotalKind.allCases {
            guard let word = kind.word(in: .english) else { continue }
            if let title = title(kind, language) {
                titles[kind] = title
            } else {
                titles[kind] = title(kind, own) ?? word
                left.insert(kind)
            }
        }
        (self.titles, self.left, self.language, self.own) = (titles, left, language, own)
    }

    /// What it is called.
    subscript(kind: TotalKind) -> String { titles[kind] ?? kind.rawValue }

    /// What a bill with these lines is in: the shop's own language where one of their titles is.
    func language(of kinds: some Sequence<TotalKind>) -> LanguageTag { kinds.contains(where: left.contains) ? own : language }
}
