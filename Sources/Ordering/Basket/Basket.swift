// The basket of a guest: lines and sets, with the prices at which each was last recorded.

package enum BasketState: String, Sendable, Hashable, CaseIterable {
    /// The basket can be changed and checked out.
    case open
    /// The basket became an order with the same id and never changes again.
    case ordered
}

/// A set of one sales group, without the items that the guest removed.
package struct BasketSet: Sendable, Hashable {
    /// The sales group; a basket contains at most one set of each.
    package let salesGroupID: SalesGroupID
    /// The items in the order of the sales group; equal dishes share a line. Adding or editing the set records their
    /// prices.
    package let items: [Line]
    /// The items that the guest removed from the set, in the order of removal. They stay out when the guest edits the
    /// set.
    package let removedItems: [MenuItemID]

    /// A set of these items.
    package init(salesGroupID: SalesGroupID, items: [Line], removedItems: [MenuItemID] = []) {
        (self.salesGroupID, self.items, self.removedItems) = (salesGroupID, items, removedItems)
    }

    /// A copy with other items.
    func with(items: [Line]) -> BasketSet {
        BasketSet(salesGroupID: salesGroupID, items: items, removedItems: removedItems)
    }
}

/// A basket with its lines and sets.
package struct Basket: Sendable, Hashable {
    /// The maximum number of lines and sets together.
    package static let lineLimit = 50

    /// Opaque; the order gets the same id.
    package let id: BasketID
    /// Whether the basket can still change.
    package let state: BasketState
    /// Incremented by every change; a new basket has version 1.
    package let version: Int64
    /// The shop's currency when the basket last changed. All recorded prices are in it.
    package let currency: CurrencyCode
    /// How many lines were created so far, including lines of sets. The newest line has this id.
    package let createdLineCount: Int64
    /// The lines in the order in which they were added, one for each dish.
    package let lines: [Line]
    /// The sets in the order in which they were added, one for each sales group.
    package let sets: [BasketSet]

    /// A new, empty basket.
    package init(id: BasketID, currency: CurrencyCode) {
        self.init(id: id, state: .open, version: 1, currency: currency, createdLineCount: 0, lines: [], sets: [])
    }

    /// A stored basket.
    package init(
        id: BasketID, state: BasketState, version: Int64, currency: CurrencyCode, createdLineCount: Int64,
        lines: [Line], sets: [BasketSet]
    ) {
        (self.id, self.state, self.version, self.currency) = (id, state, version, currency)
        (self.createdLineCount, self.lines, self.sets) = (createdLineCount, lines, sets)
    }

    /// Whether the basket has no lines and no sets.
    package var isEmpty: Bool { lines.isEmpty && sets.isEmpty }
}
