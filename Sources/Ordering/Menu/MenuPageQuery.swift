// The query of `GET /v1/menu` as a value: filters, search and sort order, and the page that results.

/// A query of the menu: filters, sort order and starting point.
package struct MenuPageQuery: Sendable, Hashable {
    /// Items per page, 1…100.
    package let limit: Int
    private let category: CategoryID?
    private let kind: MenuItemKind?
    private let tag: String?
    private let without: Allergens
    private let diets: Diets
    private let words: [String]
    private let order: MenuSortOrder
    private let last: MenuSortKey?

    /// The defaults list the whole menu by position, 20 items per page.
    /// - Parameters:
    ///   - without: only items that are known to contain none of these, traces included, with default options.
    ///   - diets: only items that staff marked as suitable for all of these, with default options.
    ///   - words: all must appear in title, description or tags, ignoring case and diacritics. A word that appears
    ///     nowhere on the menu is matched approximately: see `MenuVocabulary`.
    ///   - limit: clamped to 1…100.
    ///   - last: the sort key of the last item of the previous page, in the same order.
    package init(
        category: CategoryID? = nil, kind: MenuItemKind? = nil, tag: String? = nil, without: Allergens = [],
        diets: Diets = [],
        words: String = "", order: MenuSortOrder = .position, limit: Int = 20, after last: MenuSortKey? = nil
    ) {
        (self.category, self.kind, self.order, self.last) = (category, kind, order, last)
        (self.without, self.diets) = (without, diets)
        self.tag = tag?.folded
        self.words = words.folded.split(whereSeparator: \.isWhitespace).map(String.init)
        self.limit = min(max(limit, 1), 100)
    }

    /// The page that the query asks for. Retired items are omitted; sold-out ones are shown.
    ///
    /// Following `next` returns every item exactly once that stays on the menu and keeps its sort key. Items that are
    /// added, removed or retired between two pages do not duplicate or hide other items.
    package func page(of menu: Menu) -> MenuPage {
        guard let terms = menu.searchTerms(for: words) else { return MenuPage(items: [], next: nil) }
        var found = menu.items.filter { matches($0, terms, in: menu) }.map {
            (sortKey: order.sortKey(of: $0, in: menu), item: $0)
        }
        if let last { found.removeAll { $0.sortKey <= last } }
        found.sort { $0.sortKey < $1.sortKey }
        guard found.count > limit else { return MenuPage(items: found.map(\.item), next: nil) }
        found.removeSubrange(limit...)
        return MenuPage(items: found.map(\.item), next: found.last?.sortKey)
    }

    private func matches(_ item: any MenuItem, _ terms: [SearchTerm], in menu: Menu) -> Bool {
        guard !item.isRetired, category == nil || item.category == category, kind == nil || item.kind == kind else {
            return false
        }
        guard matchesFood(item, in: menu) else { return false }
        let text = menu.searchText(of: item)
        return (tag.map { text.contains(tag: $0) } ?? true)
            && terms.allSatisfy { term in
                switch term {
                case .exact(let word): text.contains(word)
                case .similar(let items): items.contains(item.id)
                }
            }
    }

    /// Whether the food matches the filters. Without filters, items without food information are listed too.
    private func matchesFood(_ item: any MenuItem, in menu: Menu) -> Bool {
        if without.isEmpty, diets.isEmpty { return true }
        let food = menu.foodWithDefaults(item.id)
        return food.isFree(of: without) && food.suits(diets)
    }
}
