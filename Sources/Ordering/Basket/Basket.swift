// What a guest is about to order: lines of single items and sets of sales, each with the price it was last shown at.
// The database loads and stores it; BasketApplying.swift changes it, PricedBasket.swift prices it by the menu.

/// Whether a basket can still change.
package enum BasketState: String, Sendable, Hashable, CaseIterable {
    /// It can be changed and checked out.
    case open
    /// It became an order, with the same id, and never changes again.
    case ordered
}

/// The set of one sale, as it was composed when it was added, but for what was taken out since.
package struct BasketSet: Sendable, Hashable {
    /// The sale; a basket holds one set of it at most.
    package let salesGroupID: SalesGroupID
    /// The set's items in the sale's order, equal dishes as one line, with the prices recorded when the set was added or chosen anew.
    package let items: [Line]
    /// The items of the sale that the guest removed from the set, in the order of their removal. They stay out when the
    /// units of the set are chosen anew.
    package let removedItems: [MenuItemID]

    /// A set of these items.
    package init(salesGroupID: SalesGroupID, items: [Line], removedItems: [MenuItemID] = []) {
        (self.salesGroupID, self.items, self.removedItems) = (salesGroupID, items, removedItems)
    }

    /// The same sale with other items in its set.
    func with(items: [Line]) -> BasketSet {
        BasketSet(salesGroupID: salesGroupID, items: items, removedItems: removedItems)
    }
}

/// A basket with its lines and its sets.
package struct Basket: Sendable, Hashable {
    /// How many lines and sets a basket holds together.
    package static let limit = 50

    /// Opaque; the order it becomes has the same.
    package let id: BasketID
    /// Whether it can still change.
    package let state: BasketState
    /// One higher after every change; a new basket is at 1.
    package let version: Int64
    /// The shop's when the basket last changed: that of all recorded prices.
    package let currency: CurrencyCode
    /// How many lines it has had, those of sets too: the id of the newest.
    package let linesMade: Int64
    /// In the order they were added, one a dish.
    package let lines: [Line]
    /// In the order they were added, one a sale.
    package let sets: [BasketSet]

    /// A new, empty basket.
    package init(id: BasketID, currency: CurrencyCode) {
        self.init(id: id, state: .open, version: 1, currency: currency, linesMade: 0, lines: [], sets: [])
    }

    /// A basket as it is stored.
    package init(
        id: BasketID, state: BasketState, version: Int64, currency: CurrencyCode, linesMade: Int64, lines: [Line], sets: [BasketSet]
    ) {
        (self.id, self.state, self.version, self.currency) = (id, state, version, currency)
        (self.linesMade, self.lines, self.sets) = (linesMade, lines, sets)
    }

    /// Whether there is nothing to order.
    package var isEmpty: Bool { lines.isEmpty && sets.isEmpty }
}
