// The content of a menu at one revision in one language, with its lookup tables. Built once and shared by all requests.

/// The lists of a menu and the tables derived from them.
final class MenuContent: Sendable {
    /// The data of the shop. Only its texts differ between languages.
    struct Shop: Sendable {
        let revision: Int64
        let currency: Currency
        let defaultCountry: String
        let timeZone: String
        let terms: ShopTerms
        let about: ShopProfile
        let languages: ShopLanguages
        let serving: ServingSchedule
        let itemOptionGroups: [MenuItemID: [OptionGroupID]]
        let translations: Translations

        /// The same data with the translated titles of areas and tax rates, and the translated texts of the shop.
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
    /// Includes expired ones.
    let coupons: [PublicCoupon]
    let optionGroups: [OptionGroup]
    let resolvedItems: [MenuItemID: ResolvedItem]
    /// The times at which something becomes available again.
    let changeTimes: Set<Instant>
    let salesByID: [SalesGroupID: SalesGroup]
    let searchTexts: [MenuItemID: SearchText]
    let words: MenuVocabulary

    /// - Parameters:
    ///   - language: the language of the texts in the lists.
    ///   - stock: items and options with a count of zero are unavailable.
    init(
        _ shop: Shop, in language: LanguageTag, categories: [Category], items: [any MenuItem], sales: [SalesGroup],
        coupons: [PublicCoupon],
        optionGroups: [OptionGroup], stock: StockLevels
    ) {
        (self.shop, self.language, self.coupons, self.optionGroups) = (shop, language, coupons, optionGroups)
        totalTitles = TotalTitles(shop.translations, in: language, own: shop.languages.own)
        self.categories = categories.sorted { ($0.position, $0.id) < ($1.position, $1.id) }
        self.items = items.sorted { ($0.position, $0.id) < ($1.position, $1.id) }
        self.sales = sales.sorted { ($0.position, $0.id) < ($1.position, $1.id) }
        var resolver = OptionResolver(optionGroups, stock)
        let resolvedItems = Dictionary(
            self.items.map {
                let options = resolver.options(shop.itemOptionGroups[$0.id] ?? [])
                let (stockedFrom, servingHours) = (stock.availableFrom(.item($0.id)), shop.serving.hours(of: $0))
                return ($0.id, ResolvedItem($0, from: stockedFrom, servingHours: servingHours, options: options))
            },
            uniquingKeysWith: { first, _ in first })
        self.resolvedItems = resolvedItems
        changeTimes = resolver.changeTimes.union(
            resolvedItems.values.compactMap { $0.item.isRetired ? nil : $0.availableFrom.moment })
        salesByID = Dictionary(self.sales.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let searchTexts = resolvedItems.mapValues { SearchText($0.item) }
        self.searchTexts = searchTexts
        words = MenuVocabulary(
            self.items.filter { !$0.isRetired }.compactMap { item in searchTexts[item.id].map { (item.id, $0) } })
    }
}
