// The translated texts of the menu and the shop.

/// The entities that can be translated, as named in SQL.
package enum TranslationSubject: String, Sendable, Hashable, CaseIterable {
    case menuItems = "menu_items"
    case options
    case optionGroups = "option_groups"
    case categories
    case salesGroups = "sales_groups"
    case coupons
    /// Titles of total lines: see `TotalKind.translationID`.
    case totals
    case taxRates = "tax_rates"
    case deliveryAreas = "delivery_areas"
    /// The texts of the shop: see `ShopText`.
    case shopTexts = "shop_texts"
}

/// A text of the shop that can be translated; the raw value is its id in the table `shop_texts`.
package enum ShopText: Int64, Sendable, CaseIterable {
    case imprint = 1
    case privacy = 2
}

/// The texts of one entity in one language; nil or empty if not translated.
package struct TranslatedText: Sendable, Hashable {
    package let title: String?
    /// Only of a sales group.
    package let headline: String?
    package let description: String?

    package init(title: String?, headline: String? = nil, description: String?) {
        self.title = title.flatMap { $0.isEmpty ? nil : $0 }
        self.headline = headline.flatMap { $0.isEmpty ? nil : $0 }
        self.description = description.flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// One row of `translations`: the texts of one entity in one language.
package struct Translation: Sendable, Hashable {
    /// The kind of the entity.
    package let subject: TranslationSubject
    /// The id of the entity.
    package let id: Int64
    package let language: LanguageTag
    package let text: TranslatedText

    package init(_ subject: TranslationSubject, _ id: Int64, _ language: LanguageTag, _ text: TranslatedText) {
        (self.subject, self.id, self.language, self.text) = (subject, id, language, text)
    }
}

/// All translations of a menu.
package struct Translations: Sendable {
    private struct Key: Hashable {
        let subject: TranslationSubject
        let id: Int64
        let language: LanguageTag
    }
    private let texts: [Key: TranslatedText]

    /// Duplicates of an entity and language are ignored, except the first.
    package init(_ all: some Sequence<Translation> = []) {
        texts = Dictionary(
            all.map { (Key(subject: $0.subject, id: $0.id, language: $0.language), $0.text) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The texts of an entity in a language. Texts missing in de-CH are taken from de; nil if neither has them.
    package func text(of subject: TranslationSubject, _ id: Int64, in language: LanguageTag) -> TranslatedText {
        let candidates = language.fallbacks.compactMap { texts[Key(subject: subject, id: id, language: $0)] }
        return TranslatedText(
            title: candidates.lazy.compactMap(\.title).first, headline: candidates.lazy.compactMap(\.headline).first,
            description: candidates.lazy.compactMap(\.description).first)
    }
}
