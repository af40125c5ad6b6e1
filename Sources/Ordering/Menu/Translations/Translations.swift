// What staff have translated: titles and descriptions by what they are of. Made of the rows of `translations` when the menu is loaded;
// Menu+Translation.swift takes the texts from here. Next: ShopLanguages.swift for who gets which.

/// What can be translated, as SQL names it.
package enum TranslationSubject: String, Sendable, Hashable, CaseIterable {
    case menuItems = "menu_items"
    case options
    case optionGroups = "option_groups"
    case categories
    case salesGroups = "sales_groups"
    case coupons
    /// What the program calls the lines of a bill: see TotalKind.number.
    case totals
    case taxRates = "tax_rates"
    case deliveryAreas = "delivery_areas"
    /// The shop's own texts: see ShopText.
    case shopTexts = "shop_texts"
}

/// A text in the shop's row that can be translated; the raw value is its id in the table `shop_texts`.
package enum ShopText: Int64, Sendable, CaseIterable {
    case imprint = 1
    case privacy = 2
}

/// The texts of one thing in one language; nil or empty is not translated.
package struct TranslatedText: Sendable, Hashable {
    package let title: String?
    /// Of a sale.
    package let headline: String?
    package let description: String?

    package init(title: String?, headline: String? = nil, description: String?) {
        self.title = title.flatMap { $0.isEmpty ? nil : $0 }
        self.headline = headline.flatMap { $0.isEmpty ? nil : $0 }
        self.description = description.flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// A row: the texts of one thing in one language.
package struct Translation: Sendable, Hashable {
    /// What it is of.
    package let subject: TranslationSubject
    /// Staff's number of it.
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

    /// These; of two of one thing in one language the first.
    package init(_ all: some Sequence<Translation> = []) {
        texts = Dictionary(
            all.map { (Key(subject: $0.subject, id: $0.id, language: $0.language), $0.text) }, uniquingKeysWith: { first, _ in first })
    }

    /// The texts of a thing in a language. What is missing in de-CH is taken from de; nil is translated in neither.
    package func text(of subject: TranslationSubject, _ id: Int64, in language: LanguageTag) -> TranslatedText {
        let found = language.fallbacks.compactMap { texts[Key(subject: subject, id: id, language: $0)] }
        return TranslatedText(
            title: found.lazy.compactMap(\.title).first, headline: found.lazy.compactMap(\.headline).first,
            description: found.lazy.compactMap(\.description).first)
    }
}
