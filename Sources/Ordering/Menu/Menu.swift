// The whole menu at one revision, looked at at a moment: an immutable snapshot that the database loads and every request reads.
// Baskets and checkouts take their prices from it. Next: OfferedItem.swift, MenuQuery.swift for how it is listed.

/// The menu at one revision, with the facts of the shop that every answer needs.
package struct Menu: Sendable {
    /// Counts the changes of the menu tables.
    package let revision: Int64
    /// The shop's, which all prices are in.
    package let currency: Currency
    /// ISO 3166-1 alpha-2, such as US: where a phone number without a country belongs to.
    package let defaultCountry: String
    /// The shop's IANA time zone, such as America/New_York.
    package let timeZone: String
    /// When, where and for how much orders are taken.
    package let terms: ShopTerms
    /// Who takes them.
    package let about: ShopAbout
    /// The moment at which it is looked at: what can be had is what can be had then.
    package private(set) var moment: Instant
    /// What it can be read in.
    package let languages: ShopLanguages
    /// What its texts are in, but for those that nobody has translated.
    package private(set) var language: LanguageTag
    /// By position, then id.
    package let categories: [Category]
    /// All items by position, then id; retired ones too, since baskets may still name them.
    package let items: [any MenuItem]
    /// All sales by position, then id; retired ones too.
    package let sales: [SalesGroup]
    /// The texts of `languages` but for the own one.
    package let translations: Translations
    /// What its bills' lines are called.
    package private(set) var totalTitles: TotalTitles
    /// What is left of what staff count, as far as this menu tells of it.
    package private(set) var stock: StockLeft
    private let publicCoupons: [PublicCoupon]
    let optionGroups: [OptionGroup]
    private let itemOptionGroups: [MenuItemID: [OptionGroupID]]
    private let serving: Serving
    private let offered: [MenuItemID: OfferedItem]
    private let moments: Set<Instant>
    private let salesByID: [SalesGroupID: SalesGroup]
    private let searchTexts: [MenuItemID: SearchText]
    private let words: MenuWords

    /// A snapshot, looked at at a moment; the lists may come in any order. Of two with one id, the first by position stands.
    /// - Parameters:
    ///   - itemOptionGroups: the groups of each item that has some, in staff's order; they may name what does not exist.
    ///   - serving: when items are served that are not always.
    package init(
        revision: Int64, currency: Currency, defaultCountry: String, timeZone: String, terms: ShopTerms = ShopTerms(),
        about: ShopAbout = ShopAbout(), languages: ShopLanguages = .english, categories: [Category], items: [any MenuItem],
        sales: [SalesGroup],
        coupons: [PublicCoupon], optionGroups: [OptionGroup] = [], itemOptionGroups: [MenuItemID: [OptionGroupID]] = [:],
        serving: Serving = Serving(), translations: Translations = Translations(), stock: StockLeft = .untracked, at moment: Instant
    ) {
        (self.revision, self.currency, self.defaultCountry, self.timeZone) = (revision, currency, defaultCountry, timeZone)
        (self.terms, self.about, self.moment) = (terms, about, moment)
        (self.languages, language, self.translations) = (languages, languages.own, translations)
        totalTitles = TotalTitles(translations, in: languages.own, own: languages.own)
        self.categories = categories.sorted { ($0.position, $0.id) < ($1.position, $1.id) }
        self.items = items.sorted { ($0.position, $0.id) < ($1.position, $1.id) }
        self.sales = sales.sorted { ($0.position, $0.id) < ($1.position, $1.id) }
        (publicCoupons, self.stock) = (coupons, stock)
        (self.optionGroups, self.itemOptionGroups, self.serving) = (optionGroups, itemOptionGroups, serving)
        var resolver = OptionResolver(optionGroups, stock)
        let offered = Dictionary(
            self.items.map {
                let options = resolver.options(itemOptionGroups[$0.id] ?? [])
                return ($0.id, OfferedItem($0, from: stock.availableFrom(.item($0.id)), served: serving.hours(of: $0), options: options))
            },
            uniquingKeysWith: { first, _ in first })
        self.offered = offered
        moments = resolver.moments.union(offered.values.compactMap { $0.item.isRetired ? nil : $0.availableFrom.moment })
        salesByID = Dictionary(self.sales.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let searchTexts = offered.mapValues { SearchText($0.item) }
        self.searchTexts = searchTexts
        words = MenuWords(self.items.filter { !$0.isRetired }.compactMap { item in searchTexts[item.id].map { (item.id, $0) } })
    }

    /// The same at another moment.
    package func at(_ moment: Instant) -> Menu {
        var menu = self
        menu.moment = moment
        return menu
    }

    /// The same, where so much is left: what there is none of can't be had. Made anew where something is gone, or there again.
    package func stocked(_ left: StockLeft) -> Menu {
        let needed = optionGroups.lazy.map(\.minimum).max() ?? 0
        guard left.scarce(below: needed) == stock.scarce(below: needed) else {
            var menu = Menu(
                revision: revision, currency: currency, defaultCountry: defaultCountry, timeZone: timeZone, terms: terms,
                about: about, languages: languages, categories: categories, items: items, sales: sales, coupons: publicCoupons,
                optionGroups: optionGroups, itemOptionGroups: itemOptionGroups, serving: serving, translations: translations, stock: left,
                at: moment)
            (menu.language, menu.totalTitles) = (language, totalTitles)
            return menu
        }
        var menu = self
        menu.stock = left
        return menu
    }

    /// The same in another of the shop's languages: titles and descriptions as staff have translated them, and as they are where nobody has, and
    /// searched by these words. Made anew at each call, from all that is on it: whoever answers with it keeps it. In a language that is not
    /// the shop's it stays as it is, and once translated it does so too.
    package func `in`(_ language: LanguageTag) -> Menu {
        guard self.language == languages.own, language != languages.own, languages.all.contains(language) else { return self }
        func text(_ subject: TranslationSubject, _ id: Int64) -> TranslatedText { translations.text(of: subject, id, in: language) }
        var menu = Menu(
            revision: revision, currency: currency, defaultCountry: defaultCountry, timeZone: timeZone, terms: terms, about: about,
            languages: languages, categories: categories.map { $0.translated(text(.categories, $0.id.rawValue)) },
            items: items.map { $0.translated(text(.menuItems, $0.id.rawValue)) },
            sales: sales.map { $0.translated(text(.salesGroups, $0.id.rawValue)) },
            coupons: publicCoupons.map { coupon in coupon.id.map { coupon.translated(text(.coupons, $0.rawValue)) } ?? coupon },
            optionGroups: optionGroups.map { $0.translated(text) }, itemOptionGroups: itemOptionGroups, serving: serving,
            translations: translations, stock: stock, at: moment)
        (menu.language, menu.totalTitles) = (language, TotalTitles(translations, in: language, own: languages.own))
        return menu
    }

    /// Whether the item can be ordered with some choice of its options; one that this menu does not know (a server that has not reloaded yet)
    /// can't.
    package func availability(of id: MenuItemID) -> Availability {
        offered[id].map { $0.availability(at: moment, in: terms.zone) } ?? .never
    }

    /// The item with this id, retired or not.
    package func item(_ id: MenuItemID) -> (any MenuItem)? { offered[id]?.item }

    /// What can be chosen with the item.
    package func options(of id: MenuItemID) -> OfferedOptions { offered[id]?.options ?? .none }

    func offered(_ id: MenuItemID) -> OfferedItem? { offered[id] }

    /// What is known of an item as it comes, which filters of food go by.
    func foodAsItComes(_ id: MenuItemID) -> FoodFacts { offered[id]?.foodAsItComes ?? .unknown }

    func searchText(of item: any MenuItem) -> SearchText { searchTexts[item.id] ?? SearchText(item) }

    /// The folded words of a search, each as it is looked for. One that stands nowhere is forgiven; made of several (chicken-burger), each of
    /// these is looked for. Nil where one of them is like nothing: then nothing is found, and what is left needs no reading.
    func searched(_ typed: [String]) -> [SearchedWord]? {
        var searched: [SearchedWord] = []
        for word in typed {
            if stands(word) {
                searched.append(.standing(word))
                continue
            }
            let parts = word.words
            guard !parts.isEmpty else { return nil }
            for part in parts {
                if parts.count > 1, stands(part) {
                    searched.append(.standing(part))
                    continue
                }
                let near = words.near(part)
                guard !near.isEmpty else { return nil }
                searched.append(.near(near))
            }
        }
        return searched
    }

    private func stands(_ word: String) -> Bool { items.contains { !$0.isRetired && searchText(of: $0).holds(word) } }

    /// The sale with this id, retired or not.
    package func sale(_ id: SalesGroupID) -> SalesGroup? { salesByID[id] }

    /// The sales that a guest is shown and can take, by position, then id.
    package var offeredSales: [SalesGroup] { sales.filter(isOffered) }

    /// Whether a sale is shown and can be taken: it is not over, and a set has items, none of which is off the menu for good. A set with an
    /// item that is sold out for now is shown as such.
    package func isOffered(_ sale: SalesGroup) -> Bool {
        guard !sale.isRetired else { return false }
        guard case .set(let entries) = sale.content else { return true }
        return !entries.isEmpty && entries.allSatisfy { item($0.menuItemID)?.isRetired == false }
    }

    /// The coupons that staff list publicly, as listed, without those that are over.
    package var coupons: [PublicCoupon] { publicCoupons.filter { $0.isListed(at: moment) } }

    /// For as long as this it reads as it does now.
    package var holds: TimeSpan {
        let moments = TimeSpan(around: moment, without: moments.union(publicCoupons.compactMap(\.endsAt)))
        let served = serving.all.map { $0.availability(at: moment, in: terms.zone).holds }
        return (served + doors.map(\.holds)).reduce(moments) { $0.overlap($1) }
    }

    /// The items of a sale's set with how many of each, in the set's order; empty for information.
    package func setItems(of sale: SalesGroup) -> [(item: any MenuItem, quantity: Int)] {
        guard case .set(let entries) = sale.content else { return [] }
        return entries.compactMap { entry in item(entry.menuItemID).map { ($0, entry.quantity) } }
    }

    /// What a sale's set costs now as it comes, by its items' current prices; zero for information.
    package func setTotal(of sale: SalesGroup) -> Money {
        Money.sum(setItems(of: sale).map { (offered[$0.item.id]?.priceAsItComes(at: moment) ?? .zero) * $0.quantity })
    }
}
