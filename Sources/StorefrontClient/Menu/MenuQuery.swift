// Which part of the menu is asked for. Read next: StorefrontClient+Menu.swift.

/// The order of a menu's items.
public enum MenuOrder: Hashable, Sendable {
    /// As staff put them.
    case position
    /// By what they cost now, the cheapest first.
    case price
    /// The dearest first.
    case priceDescending
    /// By title.
    case title
    /// Shuffled; the same seed is the same order.
    case random(seed: String)

    /// As `sort` and `seed`.
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

/// Filters and order of the menu; what is nil does not matter.
public struct MenuQuery: Hashable, Sendable {
    /// Only this category.
    public var category: Int64?
    /// Only this kind: `regular`, `discount` or `special`.
    public var kind: String?
    /// Only items with this tag.
    public var tag: String?
    /// Only what is known to hold none of these allergens, by name, as it comes; not as traces either.
    public var without: [String]
    /// Only what is said to be right for this diet as it comes, such as `vegan`.
    public var diet: String?
    /// Words that must all stand in title, description or tags; those that stand nowhere on the menu are forgiven a typing error.
    public var words: String?
    /// The order.
    public var order: MenuOrder?
    /// How many items a page has: 1…100, by default 20.
    public var limit: Int?

    /// A query.
    public init(
        category: Int64? = nil, kind: String? = nil, tag: String? = nil, without: [String] = [], diet: String? = nil,
        words: String? = nil, order: MenuOrder? = nil, limit: Int? = nil
    ) {
        (self.without, self.diet) = (without, diet)
        (self.category, self.kind, self.tag, self.words, self.order, self.limit) = (category, kind, tag, words, order, limit)
    }

    /// The path of the page that begins at the cursor.
    func path(_ cursor: String?) -> String {
        let filters: [(name: String, value: String?)] = [
            ("category", category.map(String.init)), ("kind", kind), ("tag", tag),
            ("without", without.isEmpty ? nil : without.joined(separator: ",")), ("diet", diet), ("q", words),
        ]
        let page: [(name: String, value: String?)] = [
            ("sort", order?.parameters.sort), ("seed", order?.parameters.seed), ("limit", limit.map(String.init)), ("cursor", cursor),
        ]
        return "/v1/menu".with(query: filters + page)
    }
}
