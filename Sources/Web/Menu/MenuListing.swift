// Parses the parameters of `GET /v1/menu` into a MenuQuery, and writes the page cursors.
import HTTPServing
import Ordering

/// A listing of the menu, as requested.
struct MenuListing {
    let query: MenuPageQuery
    /// Distinguishes the cursors of this listing from those of other sort orders and lists.
    private let name: String

    /// Parses the parameters. A missing or empty parameter counts as not given, and the first invalid one is
    /// reported.
    ///
    /// `seed` is any text, "0" by default, and only used when `sort` is `random`. `cursor` is the `nextCursor` of a
    /// page with the same sort and seed.
    init(_ parameters: QueryParameters) throws(ParameterError) {
        let category = try parameters.parsed("category", "the id of a category, such as 200") { CategoryID($0) }
        let kind = try parameters.parsed("kind", "regular, discount or special", MenuItemKind.init(rawValue:))
        let tag = try parameters.text("tag", upTo: 64)
        let without = try parameters.parsed("without", "names of allergens with commas between them, such as milk,nuts")
        { names in
            Allergens(rawValues: names.split(separator: ",", omittingEmptySubsequences: false))
        }
        let diet = try parameters.parsed(
            "diet", "one of \(Diet.allCases.map(\.rawValue).joined(separator: ", "))", Diet.init(rawValue:))
        let words = try parameters.text("q", upTo: 100)
        let seed = try parameters.text("seed", upTo: 64) ?? "0"
        let (sort, order) =
            try parameters.parsed("sort", "position, price, -price, title or random") { sort in
                MenuSortOrder(sort, seed: seed).map { (sort, $0) }
            } ?? ("position", .position)
        name = sort == "random" ? "menu random \(seed)" : "menu \(sort)"
        let limit = try parameters.limit()
        let last = try parameters.cursor(
            of: name, numbers: 3, "the nextCursor of a page with the same sort and seed", MenuSortKey.init)
        query = MenuPageQuery(
            category: category, kind: kind, tag: tag, without: without ?? [], diets: diet.map { [$0] } ?? [],
            words: words ?? "",
            order: order, limit: limit, after: last)
    }

    /// The page, and the cursor of the next page; nil on the last page.
    func page(of menu: Menu) -> (items: [any MenuItem], nextCursor: String?) {
        let page = query.page(of: menu)
        return (page.items, page.next.map { Cursor($0).encoded(for: name) })
    }
}

extension MenuSortOrder {
    fileprivate init?(_ sort: String, seed: String) {
        switch sort {
        case "position": self = .position
        case "price": self = .price
        case "-price": self = .priceDescending
        case "title": self = .title
        case "random": self = .random(seed: seed.utf8.fnv1a)
        default: return nil
        }
    }
}

extension MenuSortKey {
    init(_ cursor: Cursor) {
        self.init(
            number: cursor.numbers[0], text: cursor.text, position: cursor.numbers[1],
            id: MenuItemID(rawValue: cursor.numbers[2]))
    }
}

extension Cursor {
    init(_ place: MenuSortKey) {
        self.init([place.number, place.position, place.id.rawValue], place.text)
    }
}
