// How the menu is listed: what `GET /v1/menu` asks for, read from its parameters, and the page that comes out.
// Web parses one of each request. Next: MenuOrder.swift for the orders, MenuCursor.swift for paging.

/// A listing of the menu: what to leave out, in which order, and where to go on.
package struct MenuQuery: Sendable, Hashable {
    /// Only this category.
    package let category: CategoryID?
    /// Only this kind.
    package let kind: MenuItemKind?
    /// In this order.
    package let order: MenuOrder
    /// Items a page, 1…100.
    package let limit: Int

    private let tag: String?
    private let words: [String]
    private let cursor: MenuCursor?

    /// The whole menu, in staff's order, 20 items a page.
    package static let everything = MenuQuery(category: nil, kind: nil, order: .position, limit: 20, tag: nil, words: [], cursor: nil)

    /// Reads the parameters as they came. One that is missing or empty is not given; the first bad one is the error.
    ///
    /// `q` is at most 100 characters: words that must all stand in title, description or tags, whatever their case and diacritics. A word that
    /// stands nowhere on the menu is forgiven: see `MenuWords.near`.
    /// `seed` is any text of at most 64 characters, "0" by default, used where `sort` is `random`. `limit` is 20 by default.
    /// `cursor` is a page's `nextCursor`, of the same sort and seed.
    package static func parse(
        category: String?, kind: String?, tag: String?, q: String?, sort: String?, seed: String?, limit: String?, cursor: String?
    ) -> Result<MenuQuery, ParameterError> {
        func wrong(_ name: String, _ message: String) -> Result<MenuQuery, ParameterError> {
            .failure(ParameterError(name: name, message: message))
        }
        let category = given(category), kind = given(kind), tag = given(tag)
        let sort = given(sort) ?? "position", limit = given(limit) ?? "20", cursor = given(cursor)

        let categoryID = category.flatMap { CategoryID($0) }
        guard category == nil || categoryID != nil else { return wrong("category", "category must be the id of a category, such as 200.") }
        let itemKind = kind.flatMap(MenuItemKind.init(rawValue:))
        guard kind == nil || itemKind != nil else { return wrong("kind", "kind must be regular, discount or special.") }
        guard isShort(tag, longestText) else { return wrong("tag", "tag must be at most \(longestText) characters.") }
        guard isShort(q, longestSearch) else { return wrong("q", "q must be at most \(longestSearch) characters.") }
        guard isShort(seed, longestText) else { return wrong("seed", "seed must be at most \(longestText) characters.") }
        guard let order = MenuOrder(sort, seed: given(seed) ?? "0") else {
            return wrong("sort", "sort must be position, price, -price, title or random.")
        }
        guard let number = Int64(canonicalDigits: limit), (1...100).contains(number) else {
            return wrong("limit", "limit must be a whole number from 1 to 100.")
        }
        let after = cursor.flatMap { MenuCursor($0, order: order) }
        guard cursor == nil || after != nil else {
            return wrong("cursor", "cursor must be the nextCursor of a page with the same sort and seed.")
        }
        return .success(
            MenuQuery(
                category: categoryID, kind: itemKind, order: order, limit: Int(number), tag: tag?.folded,
                words: (q ?? "").folded.split(whereSeparator: \.isWhitespace).map(String.init), cursor: after))
    }

    /// The page this asks for. Retired items are left out; sold-out ones are shown.
    ///
    /// Following `nextCursor` meets every item exactly once that is on the menu all the while and keeps its place in the order.
    package func page(of menu: Menu) -> MenuPage {
        guard let searched = menu.searched(words) else { return MenuPage(items: [], nextCursor: nil) }
        var found = menu.items.filter { matches($0, searched, in: menu) }.map { (place: order.place(of: $0, in: menu), item: $0) }
        if let cursor { found.removeAll { $0.place <= cursor.last } }
        found.sort { $0.place < $1.place }
        guard found.count > limit else { return MenuPage(items: found.map(\.item), nextCursor: nil) }
        found.removeSubrange(limit...)
        return MenuPage(items: found.map(\.item), nextCursor: found.last.map { MenuCursor(last: $0.place).text(order: order) })
    }

    private static let longestText = 64
    private static let longestSearch = 100

    private func matches(_ item: any MenuItem, _ searched: [SearchedWord], in menu: Menu) -> Bool {
        guard !item.isRetired, category == nil || item.category == category, kind == nil || item.kind == kind else { return false }
        let text = menu.searchText(of: item)
        return (tag.map { text.holds(tag: $0) } ?? true)
            && searched.allSatisfy { word in
                switch word {
                case .standing(let word): text.holds(word)
                case .near(let items): items.contains(item.id)
                }
            }
    }

    private static func given(_ text: String?) -> String? {
        text.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The bytes first: they are counted at once, and one character can be of any number of bytes.
    private static func isShort(_ text: String?, _ limit: Int) -> Bool {
        text.map { $0.utf8.count <= 4 * limit && $0.count <= limit } ?? true
    }
}
