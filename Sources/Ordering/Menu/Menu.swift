// The whole menu at one revision, looked at at a moment: an immutable snapshot that the database loads and every request reads.
// Baskets and checkouts take their prices from it. Next: MenuCard.swift, what is on it; OfferedItem.swift, MenuQuery.swift for how it is listed;
// Menu+Translation.swift for its other languages.

/// The menu at one revision, with the facts of the shop that every answer needs. What is on it is behind one reference: each request, each quote
/// and each checkout takes a menu along.
package struct Menu: Sendable {
    let card: MenuCard
    /// The moment at which it is looked at: what can be had is what can be had then.
    package let moment: Instant
    /// What is left of what staff count, as far as this menu tells of it.
    package let stock: StockLeft

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

    /// Counts the changes of the menu tables.
    package var revision: Int64 { card.shop.revision }
    /// The shop's, which all prices are in.
    package var currency: Currency { card.shop.currency }
    /// ISO 3166-1 alpha-2, such as US: where a phone number without a country belongs to.
    package var defaultCountry: String { card.shop.defaultCountry }
    /// The shop's IANA time zone, such as America/New_York.
    package var timeZone: String { card.shop.timeZone }
    /// When, where and for how much orders are taken.
    package var terms: ShopTerms { card.shop.terms }
    /// Who takes them.
    package var about: ShopAbout { card.shop.about }
    /// What it can be read in.
    package var languages: ShopLanguages { card.shop.languages }
    /// The texts of `languages` but for the own one.
    package var translations: Translations { card.shop.translations }
    /// What its texts are in, but for those that nobody has translated.
    package var language: LanguageTag { card.language }
    /// What its bills' lines are called.
    package var totalTitles: TotalTitles { card.totalTitles }
    /// By position, then id.
    package var categories: [Category] { card.categories }
    /// All items by position, then id; retired ones too, since baskets may still name them.
    package var items: [any MenuItem] { card.items }
    /// All sales by position, then id; retired ones too.
    package var sales: [SalesGroup] { card.sales }
    var optionGroups: [OptionGroup] { card.optionGroups }

    /// The same at another moment.
    package func at(_ moment: Instant) -> Menu { Menu(card, moment, stock) }

    /// The same, where so much is left: what there is none of can't be had. Made anew where something is gone, or there again.
    package func stocked(_ left: StockLeft) -> Menu {
        let needed = optionGroups.lazy.map(\.minimum).max() ?? 0
        guard left.scarce(below: needed) != stock.scarce(below: needed) else { return Menu(card, moment, left) }
        let card = MenuCard(
            card.shop, in: language, categories: categories, items: items, sales: sales, coupons: card.coupons, optionGroups: optionGroups,
            stock: left)
        return Menu(card, moment, left)
    }

    /// Whether the item can be ordered with some choice of its options; one that this menu does not know (a server that has not reloaded yet)
    /// can't.
    package func availability(of id: MenuItemID) -> Availability {
        card.offered[id].map { $0.availability(at: moment, in: terms.zone) } ?? .never
    }

    /// The item with this id, retired or not.
    package func item(_ id: MenuItemID) -> (any MenuItem)? { card.offered[id]?.item }

    /// What can be chosen with the item.
    package func options(of id: MenuItemID) -> OfferedOptions { card.offered[id]?.options ?? .none }

    func offered(_ id: MenuItemID) -> OfferedItem? { card.offered[id] }

    /// What is known of an item as it comes, which filters of food go by.
    func foodAsItComes(_ id: MenuItemID) -> FoodFacts { card.offered[id]?.foodAsItComes ?? .unknown }

    func searchText(of item: any MenuItem) -> SearchText { card.searchTexts[item.id] ?? SearchText(item) }

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
                let near = card.words.near(part)
                guard !near.isEmpty else { return nil }
                searched.append(.near(near))
            }
        }
        return searched
    }

    private func stands(_ word: String) -> Bool { items.contains { !$0.isRetired && searchText(of: $0).holds(word) } }

    /// The sale with this id, retired or not.
    package func sale(_ id: SalesGroupID) -> SalesGroup? { card.salesByID[id] }

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
    package var coupons: [PublicCoupon] { card.coupons.filter { $0.isListed(at: moment) } }

    /// For as long as this it reads as it does now.
    package var holds: TimeSpan {
        let moments = TimeSpan(around: moment, without: card.moments.union(card.coupons.compactMap(\.endsAt)))
        let served = card.shop.serving.all.map { $0.availability(at: moment, in: terms.zone).holds }
        return (served + doors.map(\.holds)).reduce(moments) { $0.overlap($1) }
    }

    /// The items of a sale's set with how many of each, in the set's order; empty for information.
    package func setItems(of sale: SalesGroup) -> [(item: any MenuItem, quantity: Int)] {
        guard case .set(let entries) = sale.content else { return [] }
        return entries.compactMap { entry in item(entry.menuItemID).map { ($0, entry.quantity) } }
    }

    /// What a sale's set costs now as it comes, by its items' current prices; zero for information.
    package func setTotal(of sale: SalesGroup) -> Money {
        Money.sum(setItems(of: sale).map { (card.offered[$0.item.id]?.priceAsItComes(at: moment) ?? .zero) * $0.quantity })
    }
}
