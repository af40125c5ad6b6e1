// What `GET /v1/menu` asks for: its parameters as Ordering's MenuQuery, and the cursors of its pages. Made by MenuAnswers for each page that
// is not kept. Read next: Sources/Ordering/Menu/MenuQuery.swift, Requests/Cursor.swift.
import Ordering

/// A listing of the menu as it was asked for.
struct MenuListing {
    let query: MenuQuery
    /// What tells its cursors from those of other orders, and of other lists.
    private let name: String

    /// Reads the parameters. One that is missing or empty is not given; the first bad one is the error.
    ///
    /// `seed` is any text, "0" by default, used where `sort` is `random`. `cursor` is a page's `nextCursor`, of the same sort and seed.
    init(_ parameters: QueryParameters) throws(ParameterError) {
        let category = try parameters.parsed("category", "the id of a category, such as 200") { CategoryID($0) }
        let kind = try parameters.parsed("kind", "regular, discount or special", MenuItemKind.init(rawValue:))
        let tag = try parameters.text("tag", upTo: 64)
        let without = try parameters.parsed("without", "names of allergens with commas between them, such as milk,nuts") { names in
            Allergens(named: names.split(separator: ",", omittingEmptySubsequences: false))
        }
        let diet = try parameters.parsed("diet", "one of \(Diet.allCases.map(\.rawValue).joined(separator: ", "))", Diet.init(rawValue:))
        let words = try parameters.text("q", upTo: 100)
        let seed = try parameters.text("seed", upTo: 64) ?? "0"
        let (sort, order) =
            try parameters.parsed("sort", "position, price, -price, title or random") { sort in
                MenuOrder(sort, seed: seed).map { (sort, $0) }
            } ?? ("position", .position)
        name = sort == "random" ? "menu random \(seed)" : "menu \(sort)"
        let limit = try parameters.limit()
        let last = try parameters.cursor(
            of: name, numbers: 3, "the nextCursor of a page with the same sort and seed", MenuPlace.init)
        query = MenuQuery(
            category: category, kind: kind, tag: tag, without: without ?? [], diets: diet.map { [$0] } ?? [], words: words ?? "",
            order: order, limit: limit, after: last)
    }

    /// The page, and the next one's cursor; nil at the end.
    func page(of menu: Menu) -> (items: [any MenuItem], nextCursor: String?) {
        let page = query.page(of: menu)
        return (page.items, page.next.map { Cursor($0).written(for: name) })
    }
}

extension MenuOrder {
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

extension MenuPlace {
    init(_ cursor: Cursor) {
        self.init(
            number: cursor.numbers[0], text: cursor.text, position: cursor.numbers[1], id: MenuItemID(rawValue: cursor.numbers[2]))
    }
}

extension Cursor {
    init(_ place: MenuPlace) {
        self.init([place.number, place.position, place.id.rawValue], place.text)
    }
}
