// The menu in another language of the shop.

extension Menu {
    /// The menu in another language of the shop, searchable in it. Untranslated texts stay in the shop's own language.
    /// Each call builds a new menu from everything on it, so callers should keep the result.
    /// Unknown languages, and menus that are already translated, return the menu unchanged.
    package func translated(into language: LanguageTag) -> Menu {
        guard self.language == languages.own, language != languages.own, languages.all.contains(language) else {
            return self
        }
        func text(_ subject: TranslationSubject, _ id: Int64) -> TranslatedText {
            translations.text(of: subject, id, in: language)
        }
        let card = MenuContent(
            content.shop.translated(text), in: language,
            categories: categories.map { $0.translated(text(.categories, $0.id.rawValue)) },
            items: items.map { $0.translated(text(.menuItems, $0.id.rawValue)) },
            sales: sales.map { $0.translated(text(.salesGroups, $0.id.rawValue)) },
            coupons: content.coupons.map { coupon in
                coupon.id.map { coupon.translated(text(.coupons, $0.rawValue)) } ?? coupon
            },
            optionGroups: optionGroups.map { $0.translated(text) }, stock: stock)
        return Menu(card, moment, stock)
    }

    /// The translated texts of an entity in this menu's language; nil in the shop's own language, which needs none.
    package func translation(of subject: TranslationSubject, _ id: Int64) -> TranslatedText? {
        language == languages.own ? nil : translations.text(of: subject, id, in: language)
    }
}
