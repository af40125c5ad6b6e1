// The whole menu at one revision: an immutable snapshot that the database loads and every request reads.
// Baskets and checkouts take their prices from it. Next: MenuQuery.swift for how it is listed.

/// The menu at one revision, with the facts of the shop that every answer needs.
public struct Menu: Sendable {
    /// Counts the changes of the menu tables.
    public let revision: Int64
    /// ISO 4217, such as USD.
    public let currency: String
    /// ISO 3166-1 alpha-2, such as US: where a phone number without a country belongs to.
    public let defaultCountry: String
    /// The shop's IANA time zone, such as America/New_York.
    public let timeZone: String
    /// By position, then id.
    public let categories: [Category]
    /// All items by position, then id; retired ones too, since baskets may still name them.
    public let items: [any MenuItem]
    /// All sales by position, then id; retired ones too.
    public let sales: [SalesGroup]
    /// The coupons that staff list publicly, as loaded.
    public let coupons: [PublicCoupon]

    private let itemsByID: [MenuItemID: any MenuItem]
    private let salesByID: [SalesGroupID: SalesGroup]
    private let searchTexts: [MenuItemID: SearchText]

    /// A snapshot; the lists may come in any order. Of two with one id, the first by position stands.
    public init(
        revision: Int64, currency: String, defaultCountry: String, timeZone: String, categories: [Category], items: [any MenuItem],
        sales: [SalesGroup], coupons: [PublicCoupon]
    ) {
        (self.revision, self.currency, self.defaultCountry, self.timeZone) = (revision, currency, defaultCountry, timeZone)
        self.categories = categories.sorted { ($0.position, $0.id) < ($1.position, $1.id) }
        self.items = items.sorted { ($0.position, $0.id) < ($1.position, $1.id) }
        self.sales = sales.sorted { ($0.position, $0.id) < ($1.position, $1.id) }
        self.coupons = coupons
        itemsByID = Dictionary(self.items.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        salesByID = Dictionary(self.sales.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        searchTexts = itemsByID.mapValues { SearchText($0) }
    }

    /// The item with this id, retired or not.
    public func item(_ id: MenuItemID) -> (any MenuItem)? { itemsByID[id] }

    func searchText(of item: any MenuItem) -> SearchText { searchTexts[item.id] ?? SearchText(item) }

    /// The sale with this id, retired or not.
    public func sale(_ id: SalesGroupID) -> SalesGroup? { salesByID[id] }

    /// The items of a sale's set with how many of each, in the set's order; empty for information.
    public func setItems(of sale: SalesGroup) -> [(item: any MenuItem, quantity: Int)] {
        guard case .set(let entries) = sale.content else { return [] }
        return entries.compactMap { entry in itemsByID[entry.menuItemID].map { ($0, entry.quantity) } }
    }

    /// What a sale's set costs now, by its items' current prices; zero for information.
    public func setTotal(of sale: SalesGroup) -> Money {
        Money.sum(setItems(of: sale).map { $0.item.currentPrice * $0.quantity })
    }
}
