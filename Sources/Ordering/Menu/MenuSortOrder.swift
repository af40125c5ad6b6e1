// The sort orders of the menu, and the sort key of an item in each.

/// A sort order of the menu. Ties are ordered by position, then id.
package enum MenuSortOrder: Sendable, Hashable {
    /// The order in which staff arranged the items.
    case position
    /// By current price, the lowest first.
    case price
    /// By current price, the highest first.
    case priceDescending
    /// By title, ignoring case and diacritics.
    case title
    /// Shuffled: the same seed gives the same order on all machines and in all versions.
    case random(seed: UInt64)

    func sortKey(of item: any MenuItem, in menu: Menu) -> MenuSortKey {
        let (number, text): (Int64, [UInt8]) =
            switch self {
            case .position: (0, [])
            case .price: (item.currentPrice.minorUnits, [])
            case .priceDescending: (-item.currentPrice.minorUnits, [])
            case .title: (0, menu.searchText(of: item).titleKey)
            case .random(let seed): (Int64(bitPattern: (seed ^ UInt64(bitPattern: item.id.rawValue).mixed).mixed), [])
            }
        return MenuSortKey(number: number, text: text, position: Int64(item.position), id: item.id)
    }
}
