// The menu in another of the shop's languages, which Shop's TranslatedMenus keeps, and what of it is translated, which Web asks to say of the rest
// what it is in. Read next: Translations/Translations.swift.

extension Menu {
    /// The same in another of the shop's languages: titles and descriptions as staff have translated them, and as they are where nobody has, and
    /// searched by these words. Made anew at each call, from all that is on it: whoever answers with it keeps it. In a language that is not
    /// the shop's it stays as it is, and once translated it does so too.
    package func translated(into language: LanguageTag) -> Menu {
        guard self.language == languages.own, language != languages.own, languages.all.contains(language) else { return self }
        func text(_ subject: TranslationSubject, _ id: Int64) -> TranslatedText { translations.text(of: subject, id, in: language) }
        let card = MenuCard(
            card.shop.translated(text), in: language,
            categories: categories.map { $0.translated(text(.categories, $0.id.rawValue)) },
            items: items.map { $0.translated(text(.menuItems, $0.id.rawValue)) },
            sales: sales.map { $0.translated(text(.salesGroups, $0.id.rawValue)) },
            coupons: card.coupons.map { coupon in coupon.id.map { coupon.translated(text(.coupons, $0.rawValue)) } ?? coupon },
            optionGroups: optionGroups.map { $0.translated(text) }, stock: stock)
        return Menu(card, moment, stock)
    }

    /// The texts of a thing that staff have translated into the language of this menu; nil where that is the shop's own, which all are in.
    package func translation(of subject: TranslationSubject, _ id: Int64) -> TranslatedText? {
        language == languages.own ? nil : translations.text(of: subject, id, in: language)
    }
}
