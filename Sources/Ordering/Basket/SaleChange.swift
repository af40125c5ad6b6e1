// Whether a set in a basket is still what its sale offers. This is the only judgement of a set: the basket's answer,
// the live form, the checkout, and the times that are offered for a basket all use it.

/// A change of a sale since the set in a basket was composed. Such a set cannot be ordered as it stands.
package enum SaleChange: Sendable, Hashable {
    /// The sale is retired, or it is no set with items any more.
    case notOffered
    /// An item of the set is not in the sale any more, or has another number of units there.
    case changed

    /// The error of a checkout with such a set.
    var code: FieldErrorCode {
        switch self {
        case .notOffered: .saleNotOffered
        case .changed: .saleChanged
        }
    }
}

extension Menu {
    /// The change of the sale of this set; nil where the sale still offers all items of the set. Items that the guest
    /// removed from the set do not count.
    func saleChange(of set: BasketSet) -> SaleChange? {
        guard let entries = setEntries(of: set.salesGroupID) else { return .notOffered }
        let offered = Dictionary(entries.map { ($0.menuItemID, $0.quantity) }, uniquingKeysWith: +)
        return set.unitCounts.allSatisfy { offered[$0] == $1 } ? nil : .changed
    }

    /// The items of this sale's set now; nil where the sale is retired, is no set or has no items.
    func setEntries(of id: SalesGroupID) -> [SetEntry]? {
        guard let sale = sale(id), !sale.isRetired, case .set(let entries) = sale.content, !entries.isEmpty else {
            return nil
        }
        return entries
    }
}

extension BasketSet {
    /// How many units of each item are in the set.
    var unitCounts: [MenuItemID: Int] {
        Dictionary(items.map { ($0.dish.menuItemID, $0.quantity) }, uniquingKeysWith: +)
    }
}
