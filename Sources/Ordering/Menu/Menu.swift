// The immutable snapshot of the menu at one revision, evaluated at one time. Every request reads one.

/// The menu at one revision, with the facts of the shop that every answer needs.
/// The content is behind one reference, because every request, quote and checkout copies a menu.
package struct Menu: Sendable {
    let card: MenuCard
    /// The time at which availability and prices are evaluated.
    package let moment: Instant
    /// The stock counts that this menu knows.
    package let stock: StockLeft

    /// Creates a snapshot from lists in any order. Of entries with the same id, only the first by position is used.
    /// - Parameters:
    ///   - itemOptionGroups: the groups of each item that has some, in order of position; unknown ids are ignored.
    ///   - serving: the serving hours of items and categories that have some.
    package init(
        revision: Int64, currency: Currency, defaultCountry: String, timeZone: String, terms: ShopTerms = ShopTerms(),
        about: ShopAbout = ShopAbout(), languages: ShopLanguages = .english, categories: [Category], items: [any MenuItem],
        sales: [SalesGroup],
        coupons: [PublicCoupon], optionGroups: [OptionGroup] = [], itemOptionGroups: [MenuItemID: [OptionGroupID]] = [:],
        serving: Serving = Serving(), translations: Translations = Translations(), stock: StockLeft = .untracked, at moment: Instant
    ) {
        let shop = MenuCard.Shop(
            revision: revision, currency: currency, defaultCountry: defaultCountry, timeZone: timeZone, terms: terms, about: about,
            languages: languages, serving: serving, itemOptionGroups: itemOptionGroups, translations: translations)
        self.init(
            MenuCard(
                shop, in: languages.own, categories: categories, items: items, sales: sales, coupons: coupons, optionGroups: optionGroups,
                stock: stock),
            moment, stock)
    }

    init(_ card: MenuCard, _ moment: Instant, _ stock: StockLeft) { (self.card, self.moment, self.stock) = (card, moment, stock) }

    /// The menu revision, which every change to the menu tables increments.
    package var revision: Int64 { card.shop.revision }
    /// The currency of all prices.
    package var currency: Currency { card.shop.currency }
    /// ISO 3166-1 alpha-2, such as US: the country of phone numbers without a country code.
    package var defaultCountry: String { card.shop.defaultCountry }
    /// The shop's IANA time zone, such as America/New_York.
    package var timeZone: String { card.shop.timeZone }
    /// The settings for opening hours, delivery areas, taxes and charges.
    package var terms: ShopTerms { card.shop.terms }
    /// The name, address and texts with which the shop presents itself.
    package var about: ShopAbout { card.shop.about }
    /// The languages of the shop.
    package var languages: ShopLanguages { card.shop.languages }
    /// The texts in the languages other than the shop's own.
    package var translations: Translations { card.shop.translations }
    /// The language of the texts, apart from untranslated ones.
    package var language: LanguageTag { card.language }
    /// The titles of the total lines.
    package var totalTitles: TotalTitles { card.totalTitles }
    /// By position, then id.
    package var categories: [Category] { card.categories }
    /// All items by position, then id; also retired ones, because baskets may still contain them.
    package var items: [any MenuItem] { card.items }
    /// All sales groups by position, then id; also retired ones.
    package var sales: [SalesGroup] { card.sales }
    var optionGroups: [OptionGroup] { card.optionGroups }

    /// The menu evaluated at another time.
    package func at(_ moment: Instant) -> Menu { Menu(card, moment, stock) }

    /// The menu with these stock counts. Builds new content only if something was used up or restocked.
    package func stocked(_ left: StockLeft) -> Menu {
        let needed = optionGroups.lazy.map(\.minimum).max() ?? 0
        guard left.scarce(below: needed) != stock.scarce(below: needed) else { return Menu(card, moment, left) }
        let card = MenuCard(
            card.shop, in: language, categories: categories, items: items, sales: sales, coupons: card.coupons, optionGroups: optionGroups,
            stock: left)
        return Menu(card, moment, left)
    }

    /// Whether the item can be ordered with some selection of its options. `.never` for an item that this menu does not
    /// contain, because the server has not reloaded the menu yet.
    package func availability(of id: MenuItemID) -> Availability {
        card.offered[id].map { $0.availability(at: moment, in: terms.zone) } ?? .never
    }

    /// The item with this id, retired or not.
    package func item(_ id: MenuItemID) -> (any MenuItem)? { card.offered[id]?.item }

    /// The options of the item.
    package func options(of id: MenuItemID) -> OfferedOptions { card.offered[id]?.options ?? .none }

    func offered(_ id: MenuItemID) -> OfferedItem? { card.offered[id] }

    /// The food information of an item with its default options, by which the menu is filtered.
    func foodAsItComes(_ id: MenuItemID) -> FoodFacts { card.offered[id]?.foodAsItComes ?? .unknown }

    func searchText(of item: any MenuItem) -> SearchText { card.searchTexts[item.id] ?? SearchText(item) }

    /// Resolves the folded words of a search. A word that appears nowhere is replaced by similar ones.
    /// If the word has several parts (chicken-burger), each part is resolved.
    /// Nil if a word is similar to nothing, because the search then finds nothing.
    func searched(_ typed: [String]) -> [SearchedWord]? {
        var terms: [SearchedWord] = []
        for word in typed {
            if appears(word) {
                terms.append(.standing(word))
                continue
            }
            let parts = word.words
            guard !parts.isEmpty else { return nil }
            for part in parts {
                if parts.count > 1, appears(part) {
                    terms.append(.standing(part))
                    continue
                }
                let similar = card.words.near(part)
                guard !similar.isEmpty else { return nil }
                terms.append(.near(similar))
            }
        }
        return terms
    }

    private func appears(_ word: String) -> Bool { items.contains { !$0.isRetired && searchText(of: $0).holds(word) } }

    /// The sales group with this id, retired or not.
    package func sale(_ id: SalesGroupID) -> SalesGroup? { card.salesByID[id] }

    /// The sales groups that guests see and can order, by position, then id.
    package var offeredSales: [SalesGroup] { sales.filter(isOffered) }

    /// Whether a sales group is shown: it is not retired, and a set has items, none of them retired.
    /// A set with a temporarily sold-out item is shown as sold out.
    package func isOffered(_ sale: SalesGroup) -> Bool {
        guard !sale.isRetired else { return false }
        guard case .set(let entries) = sale.content else { return true }
        return !entries.isEmpty && entries.allSatisfy { item($0.menuItemID)?.isRetired == false }
    }

    /// The publicly listed coupons that have not expired.
    package var coupons: [PublicCoupon] { card.coupons.filter { $0.isListed(at: moment) } }

    /// The interval during which this menu reads as it does now.
    package var holds: TimeSpan {
        let moments = TimeSpan(around: moment, without: card.moments.union(card.coupons.compactMap(\.endsAt)))
        let servingHours = card.shop.serving.all.map { $0.availability(at: moment, in: terms.zone).holds }
        return (servingHours + doors.map(\.holds)).reduce(moments) { $0.overlap($1) }
    }

    /// The items of a set with their quantities, in the set's order; empty for information.
    package func setItems(of sale: SalesGroup) -> [(item: any MenuItem, quantity: Int)] {
        guard case .set(let entries) = sale.content else { return [] }
        return entries.compactMap { entry in item(entry.menuItemID).map { ($0, entry.quantity) } }
    }

    /// The current price of a set with default options; zero for information.
    package func setTotal(of sale: SalesGroup) -> Money {
        Money.sum(setItems(of: sale).map { (card.offered[$0.item.id]?.priceAsItComes(at: moment) ?? .zero) * $0.quantity })
    }
}
