// The orders a menu can be listed in, and an item's place in each. MenuQuery sorts by the place, MenuCursor carries it to the next page.

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
    case random(seed: String)

    /// Reads a `sort` parameter; the seed is used by `random` alone.
    init?(_ sort: String, seed: String) {
        switch sort {
        case "position": self = .position
        case "price": self = .price
        case "-price": self = .priceDescending
        case "title": self = .title
        case "random": self = .random(seed: seed)
        default: return nil
        }
    }

    /// What tells this order from any other; part of a cursor's check.
    var fingerprint: String {
        switch self {
        case .position: "position"
        case .price: "price"
        case .priceDescending: "-price"
        case .title: "title"
        case .random(let seed): "random \(seed)"
        }
    }

    func place(of item: any MenuItem, in menu: Menu) -> MenuPlace {
        var place = MenuPlace(position: Int64(item.position), id: item.id)
        switch self {
        case .position: break
        case .price: place.number = item.currentPrice.minorUnits
        case .priceDescending: place.number = -item.currentPrice.minorUnits
        case .title: place.text = menu.searchText(of: item).titleKey
        case .random(let seed): place.number = Int64(bitPattern: StableHash.place(of: item.id, seed: seed))
        }
        return place
    }
}

/// An item's place in an order: a total order, since ids differ.
struct MenuPlace: Sendable, Hashable, Comparable {
    /// Bytes of a title that count; a cursor stays short.
    static let longestText = 120

    var number: Int64 = 0
    var text: [UInt8] = []
    var position: Int64
    var id: MenuItemID

    static func < (left: MenuPlace, right: MenuPlace) -> Bool {
        if left.number != right.number { return left.number < right.number }
        if left.text != right.text { return left.text.lexicographicallyPrecedes(right.text) }
        return (left.position, left.id) < (right.position, right.id)
    }
}
