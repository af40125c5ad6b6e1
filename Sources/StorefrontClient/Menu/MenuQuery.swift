// The filters and the order of a menu request.

/// The order of a menu's items.
public enum MenuOrder: Hashable, Sendable {
    /// The order that staff chose.
    case position
    /// By current price, the cheapest first.
    case price
    /// By current price, the most expensive first.
    case priceDescending
    /// By title.
    case title
    /// A random order. The same seed gives the same order.
    case random(seed: String)

    /// The query parameters `sort` and `seed`.
    var parameters: (sort: String, seed: String?) {
        switch self {
        case .position: ("position", nil)
        case .price: ("price", nil)
        case .priceDescending: ("-price", nil)
        case .title: ("title", nil)
        case .random(let seed): ("random", seed)
        }
    }
}

/// The filters and the order of the menu. A nil property does not filter.
public struct MenuQuery: Hashable, Sendable {
    /// Only this category.
    public var category: Int64?
    /// Only this kind: `regular`, `discount` or `special`.
    public var kind: String?
    /// Only items with this tag.
    public var tag: String?
    /// Only items that are known to contain none of these allergens by default, not even traces.
    public var withoutAllergens: [String]
    /// Only items that suit this diet by default, such as `vegan`.
    public var diet: String?
    /// Words that must all occur in title, description or tags. A word that the menu does not contain also matches
    /// similar words.
    public var searchText: String?
    /// The order of the items.
    public var order: MenuOrder?
    /// The number of items of a page: 1…100; nil: 20.
    public var limit: Int?

    /// Creates a query.
    public init(
        category: Int64? = nil, kind: String? = nil, tag: String? = nil, withoutAllergens: [String] = [],
        diet: String? = nil,
        searchText: String? = nil, order: MenuOrder? = nil, limit: Int? = nil
    ) {
        (self.withoutAllergens, self.diet) = (withoutAllergens, diet)
        (self.category, self.kind, self.tag, self.searchText, self.order, self.limit) = (
            category, kind, tag, searchText, order, limit
        )
    }

    /// Returns the path of the page at the cursor.
    func path(_ cursor: String?) -> String {
        let filters: [(name: String, value: String?)] = [
            ("category", category.map(String.init)), ("kind", kind), ("tag", tag),
            ("without", withoutAllergens.isEmpty ? nil : withoutAllergens.joined(separator: ",")), ("diet", diet),
            ("q", searchText),
        ]
        let page: [(name: String, value: String?)] = [
            ("sort", order?.parameters.sort), ("seed", order?.parameters.seed), ("limit", limit.map(String.init)),
            ("cursor", cursor),
        ]
        return "/v1/menu".appending(query: filters + page)
    }
}
