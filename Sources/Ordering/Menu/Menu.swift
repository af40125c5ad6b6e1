// The immutable snapshot of the menu at one revision, evaluated at one time. Every request reads one.

/// The menu at one revision, with the data of the shop that every response needs.
/// The content is behind one reference, because every request, quote and checkout copies a menu.
package struct Menu: Sendable {
    let content: MenuContent
    /// The time at which availability and prices are evaluated.
    package let moment: Instant
    /// The stock counts that this menu knows.
    package let stock: StockLevels

    /// Creates a snapshot from lists in any order. Of entries with the same id, only the first by position is used.
    /// - Parameters:
    ///   - itemOptionGroups: the groups of each item that has some, in order of position; unknown ids are ignored.
    ///   - serving: the serving hours of items and categories that have some.
    package init(
        revision: Int64, currency: Currency, defaultCountry: String, timeZone: String, terms: ShopTerms = ShopTerms(),
        profile: ShopProfile = ShopProfile(), languages: ShopLanguages = .english, categories: [Category],
        items: [any MenuItem],
        sales: [SalesGroup],
        coupons: [PublicCoupon], optionGroups: [OptionGroup] = [],
        itemOptionGroups: [MenuItemID: [OptionGroupID]] = [:],
        serving: ServingSchedule = ServingSchedule(), translations: Translations = Translations(),
        stock: StockLevels = .untracked, at moment: Instant
    ) {
        let shop = MenuContent.Shop(
            revision: revision, currency: currency, defaultCountry: defaultCountry, timeZone: timeZone, terms: terms,
            about: profile,
            languages: languages, serving: serving, itemOptionGroups: itemOptionGroups, translations: translations)
        self.init(
            MenuContent(
                shop, in: languages.own, categories: categories, items: items, sales: sales, coupons: coupons,
                optionGroups: optionGroups,
                stock: stock),
            moment, stock)
    }

    init(_ content: MenuContent, _ moment: Instant, _ stock: StockLevels) {
        (self.content, self.moment, self.stock) = (content, moment, stock)
    }

    /// The menu revision, which every change to the menu tables increments.
    package var revision: Int64 { content.shop.revision }
    /// The currency of all prices.
    package var currency: Currency { content.shop.currency }
    /// ISO 3166-1 alpha-2, such as US: the country of phone numbers without a country code.
    package var defaultCountry: String { content.shop.defaultCountry }
    /// The shop's IANA time zone, such as America/New_York.
    package var timeZone: String { content.shop.timeZone }
    /// The settings for opening hours, delivery areas, taxes and charges.
    package var terms: ShopTerms { content.shop.terms }
    /// The name, address and texts with which the shop presents itself.
    package var profile: ShopProfile { content.shop.about }
    /// The languages of the shop.
    package var languages: ShopLanguages { content.shop.languages }
    /// The texts in the languages other than the shop's own.
    package var translations: Translations { content.shop.translations }
    /// The language of the texts, apart from untranslated ones.
    package var language: LanguageTag { content.language }
    /// The titles of the total lines.
    package var totalTitles: TotalTitles { content.totalTitles }
    /// By position, then id.
    package var categories: [Category] { content.categories }
    /// All items by position, then id; also retired ones, because baskets may still contain them.
    package var items: [any MenuItem] { content.items }
    /// All sales groups by position, then id; also retired ones.
    package var sales: [SalesGroup] { content.sales }
    var optionGroups: [OptionGroup] { content.optionGroups }

    /// The menu evaluated at another time.
    package func evaluated(at moment: Instant) -> Menu { Menu(content, moment, stock) }

    /// The menu with these stock counts. Builds new content only if a count changed that affects the menu.
    package func withStock(_ left: StockLevels) -> Menu {
        let needed = optionGroups.lazy.map(\.minimum).max() ?? 0
        guard left.scarce(below: needed) != stock.scarce(below: needed) else { return Menu(content, moment, left) }
        let card = MenuContent(
            content.shop, in: language, categories: categories, items: items, sales: sales, coupons: content.coupons,
            optionGroups: optionGroups,
            stock: left)
        return Menu(card, moment, left)
    }

    /// Whether the item can be ordered with some selection of its options. `.never` for an item that this menu does not
    /// contain; the server may not have reloaded the menu yet.
    package func availability(of id: MenuItemID) -> Availability {
        content.resolvedItems[id].map { $0.availability(at: moment, in: terms.zone) } ?? .never
    }

    /// The item with this id, retired or not.
    package func item(_ id: MenuItemID) -> (any MenuItem)? { content.resolvedItems[id]?.item }

    /// The options of the item.
    package func optionTree(of id: MenuItemID) -> OptionTree { content.resolvedItems[id]?.options ?? .none }

    func resolvedItem(_ id: MenuItemID) -> ResolvedItem? { content.resolvedItems[id] }

    /// The food information of an item with its default options, by which the menu is filtered.
    func foodWithDefaults(_ id: MenuItemID) -> FoodInformation {
        content.resolvedItems[id]?.foodWithDefaults ?? .unknown
    }

    func searchText(of item: any MenuItem) -> SearchText { content.searchTexts[item.id] ?? SearchText(item) }

    /// Resolves the folded words of a search. A word that appears nowhere is replaced by similar ones.
    /// If the word has several parts (chicken-burger), each part is resolved.
    /// Nil if a word is similar to nothing, because the search then finds nothing.
    func searchTerms(for typed: [String]) -> [SearchTerm]? {
        var terms: [SearchTerm] = []
        for word in typed {
            if appears(word) {
                terms.append(.exact(word))
                continue
            }
            let parts = word.words
            guard !parts.isEmpty else { return nil }
            for part in parts {
                if parts.count > 1, appears(part) {
                    terms.append(.exact(part))
                    continue
                }
                let similar = content.words.items(similarTo: part)
                guard !similar.isEmpty else { return nil }
                terms.append(.similar(similar))
            }
        }
        return terms
    }

    private func appears(_ word: String) -> Bool {
        items.contains { !$0.isRetired && searchText(of: $0).contains(word) }
    }

    /// The sales group with this id, retired or not.
    package func sale(_ id: SalesGroupID) -> SalesGroup? { content.salesByID[id] }

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
    package var coupons: [PublicCoupon] { content.coupons.filter { $0.isListed(at: moment) } }

    /// The interval in which availability, listed coupons and opening statuses of this menu stay the same.
    package var validity: TimeRange {
        let moments = TimeRange(
            around: moment, excluding: content.changeTimes.union(content.coupons.compactMap(\.endsAt)))
        let servingHours = content.shop.serving.all.map { $0.availability(at: moment, in: terms.zone).validity }
        return (servingHours + openingStatuses.map(\.validity)).reduce(moments) { $0.intersection($1) }
    }

    /// The items of a set with their quantities, in the set's order; empty for information.
    package func setItems(of sale: SalesGroup) -> [(item: any MenuItem, quantity: Int)] {
        guard case .set(let entries) = sale.content else { return [] }
        return entries.compactMap { entry in item(entry.menuItemID).map { ($0, entry.quantity) } }
    }

    /// The current price of a set with default options; zero for information.
    package func setTotal(of sale: SalesGroup) -> Money {
        Money.sum(
            setItems(of: sale).map {
                (content.resolvedItems[$0.item.id]?.priceWithDefaults(at: moment) ?? .zero) * $0.quantity
            })
    }
}
