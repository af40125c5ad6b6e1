// The orders a menu can be listed in, and an item's place in each. MenuQuery sorts by the place; Web's cursors carry it to the next page.

/// An order the menu can be listed in; ties stand by position, then id.
package enum MenuOrder: Sendable, Hashable {
    /// As staff placed them.
    case position
    /// By current price, the lowest first.
    case price
    /// By current price, the highest first.
    case priceDescending
    /// By title, case and diacritics aside.
    case title
    /// Shuffled: the same for the same seed on all machines and in all versions.
    case random(seed: UInt64)

    func place(of item: any MenuItem, in menu: Menu) -> MenuPlace {
        let (number, text): (Int64, [UInt8]) =
            switch self {
            case .position: (0, [])
            case .price: (item.currentPrice.minorUnits, [])
            case .priceDescending: (-item.currentPrice.minorUnits, [])
            case .title: (0, menu.searchText(of: item).titleKey)
            case .random(let seed): (Int64(bitPattern: (seed ^ UInt64(bitPattern: item.id.rawValue).mixed).mixed), [])
            }
        return MenuPlace(number: number, text: text, position: Int64(item.position), id: item.id)
    }
}
