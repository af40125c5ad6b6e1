// How the menu is listed: filters, search and order as a value, and the page that comes out. Web reads one from the parameters of
// `GET /v1/menu`. Next: MenuOrder.swift for the orders.

/// A listing of the menu: what to leave out, in which order, and where to go on.
package struct MenuQuery: Sendable, Hashable {
    /// Items a page, 1…100.
    package let limit: Int
    private let category: CategoryID?
    private let kind: MenuItemKind?
    private let tag: String?
    private let without: Allergens
    private let diets: Diets
    private let words: [String]
    private let order: MenuOrder
    private let last: MenuPlace?

    /// The whole menu, in staff's order, 20 items a page, but for what is said.
    /// - Parameters:
    ///   - without: What is known to hold none of these, not as traces either, as it comes.
    ///   - diets: What is said to be right for all of these, as it comes.
    ///   - words: They must all stand in title, description or tags, whatever their case and diacritics. One that stands nowhere on the menu is
    ///     forgiven: see `MenuWords.near`.
    ///   - limit: Taken for the nearest from 1 to 100.
    ///   - last: Where the page before ended, in the same order.
    package init(
        category: CategoryID? = nil, kind: MenuItemKind? = nil, tag: String? = nil, without: Allergens = [], diets: Diets = [],
        words: String = "", order: MenuOrder = .position, limit: Int = 20, after last: MenuPlace? = nil
    ) {
        (self.category, self.kind, self.order, self.last) = (category, kind, order, last)
        (self.without, self.diets) = (without, diets)
        self.tag = tag?.folded
        self.words = words.folded.split(whereSeparator: \.isWhitespace).map(String.init)
        self.limit = min(max(limit, 1), 100)
    }

    /// The page this asks for. Retired items are left out; sold-out ones are shown.
    ///
    /// Following `next` meets every item exactly once that is on the menu all the while and keeps its place in the order: items that come, go or
    /// are retired between two pages make no other item appear twice or not at all.
    package func page(of menu: Menu) -> MenuPage {
        guard let searched = menu.searched(words) else { return MenuPage(items: [], next: nil) }
        var found = menu.items.filter { matches($0, searched, in: menu) }.map { (place: order.place(of: $0, in: menu), item: $0) }
        if let last { found.removeAll { $0.place <= last } }
        found.sort { $0.place < $1.place }
        guard found.count > limit else { return MenuPage(items: found.map(\.item), next: nil) }
        found.removeSubrange(limit...)
        return MenuPage(items: found.map(\.item), next: found.last?.place)
    }

    private func matches(_ item: any MenuItem, _ searched: [SearchedWord], in menu: Menu) -> Bool {
        guard !item.isRetired, category == nil || item.category == category, kind == nil || item.kind == kind else { return false }
        guard isRight(item, in: menu) else { return false }
        let text = menu.searchText(of: item)
        return (tag.map { text.holds(tag: $0) } ?? true)
            && searched.allSatisfy { word in
                switch word {
                case .standing(let word): text.holds(word)
                case .near(let items): items.contains(item.id)
                }
            }
    }

    /// Whether the food is what was asked for. Who asks for nothing is shown what nobody has said anything of.
    private func isRight(_ item: any MenuItem, in menu: Menu) -> Bool {
        if without.isEmpty, diets.isEmpty { return true }
        let food = menu.foodAsItComes(item.id)
        return food.isFree(of: without) && food.suits(diets)
    }
}
