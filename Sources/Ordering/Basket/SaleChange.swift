// Whether a sales group still offers a set in a basket. Basket, checkout, its validation and the offered times share
// this check.

/// How a sales group changed after the set in a basket was composed. Such a set cannot be ordered.
package enum SaleChange: Sendable, Hashable {
    /// The sales group is retired or has no items any more.
    case notOffered
    /// The group no longer contains an item of the set, or contains another number of its units.
    case changed

    /// The error code of a checkout with such a set.
    var code: FieldErrorCode {
        switch self {
        case .notOffered: .saleNotOffered
        case .changed: .saleChanged
        }
    }
}

extension Menu {
    /// How the sales group of this set changed; nil if it still offers all items of the set. Items that the guest
    /// removed do not count.
    func saleChange(of set: BasketSet) -> SaleChange? {
        guard let entries = setEntries(of: set.salesGroupID) else { return .notOffered }
        let offered = Dictionary(entries.map { ($0.menuItemID, $0.quantity) }, uniquingKeysWith: +)
        return set.unitCounts.allSatisfy { offered[$0] == $1 } ? nil : .changed
    }

    /// The items of this sales group's set; nil if the group is retired or has none.
    func setEntries(of id: SalesGroupID) -> [SetEntry]? {
        guard let sale = sale(id), !sale.isRetired, case .set(let entries) = sale.content, !entries.isEmpty else {
            return nil
        }
        return entries
    }
}

extension BasketSet {
    /// The number of units of each item in the set.
    var unitCounts: [MenuItemID: Int] {
        Dictionary(items.map { ($0.dish.menuItemID, $0.quantity) }, uniquingKeysWith: +)
    }
}
