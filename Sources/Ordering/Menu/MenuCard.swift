// What is on the menu at one revision, in one language, with what is looked up in it: made once, and read by all requests that run beside one another.
// Made and asked by Menu, which adds the moment.

/// A menu's lists, and what follows from them.
final class MenuCard: Sendable {
    /// The facts of the shop. Only its texts differ between languages.
    struct Shop: Sendable {
        let revision: Int64
        let currency: Currency
        let defaultCountry: String
        let timeZone: String
        let terms: ShopTerms
        let about: ShopAbout
        let languages: ShopLanguages
        let serving: Serving
        let itemOptionGroups: [MenuItemID: [OptionGroupID]]
        let translations: Translations

        /// The same with the titles of areas and tax rates and with the shop's texts as staff have translated them.
        func translated(_ text: (TranslationSubject, Int64) -> TranslatedText) -> Shop {
            Shop(
                revision: revision, currency: currency, defaultCountry: defaultCountry, timeZone: timeZone,
                terms: terms.translated(text),
                about: about.translated(text), languages: languages, serving: serving,
                itemOptionGroups: itemOptionGroups,
                translations: translations)
        }
    }

    let shop: Shop
    let language: LanguageTag
    let totalTitles: TotalTitles
    let categories: [Category]
    let items: [any MenuItem]
    let sales: [SalesGroup]
    /// Those that are over too.
    let coupons: [PublicCoupon]
    let optionGroups: [OptionGroup]
    let offered: [MenuItemID: OfferedItem]
    /// At which something can be had again.
    let moments: Set<Instant>
    let salesByID: [SalesGroupID: SalesGroup]
    let searchTexts: [MenuItemID: SearchText]
    let words: MenuWords

    /// - Parameters:
    ///   - language: that the lists' texts are in.
    ///   - stock: what there is none of can't be had.
    init(
        _ shop: Shop, in language: LanguageTag, categories: [Category], items: [any MenuItem], sales: [SalesGroup], coupons: [PublicCoupon],
        optionGroups: [OptionGroup], stock: StockLeft
    ) {
        (self.shop, self.language, self.coupons, self.optionGroups) = (shop, language, coupons, optionGroups)
        totalTitles = TotalTitles(shop.translations, in: language, own: shop.languages.own)
        self.categories = categories.sorted { ($0.position, $0.id) < ($1.position, $1.id) }
        self.items = items.sorted { ($0.position, $0.id) < ($1.position, $1.id) }
        self.sales = sales.sorted { ($0.position, $0.id) < ($1.position, $1.id) }
        var resolver = OptionResolver(optionGroups, stock)
        let offered = Dictionary(
            self.items.map {
                let options = resolver.options(shop.itemOptionGroups[$0.id] ?? [])
                let (left, served) = (stock.availableFrom(.item($0.id)), shop.serving.hours(of: $0))
                return ($0.id, OfferedItem($0, from: left, served: served, options: options))
            },
            uniquingKeysWith: { first, _ in first })
        self.offered = offered
        moments = resolver.moments.union(offered.values.compactMap { $0.item.isRetired ? nil : $0.availableFrom.moment })
        salesByID = Dictionary(self.sales.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let searchTexts = offered.mapValues { SearchText($0.item) }
        self.searchTexts = searchTexts
        words = MenuWords(self.items.filter { !$0.isRetired }.compactMap { item in searchTexts[item.id].map { (item.id, $0) } })
    }
}
