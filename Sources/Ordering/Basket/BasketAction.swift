// The next possible actions on a basket. Clients show their buttons from this list, so that they need no rules of
// their own.

/// An action on a basket, as in the member `actions` of the API.
package enum BasketAction: String, Sendable, Hashable, CaseIterable {
    /// Check out.
    case checkout
    /// Add an item that has no line yet.
    case addItem = "add_item"
    /// Add a set of a sales group.
    case addSale = "add_sale"
    /// Increase the quantity of a line by one.
    case increment
    /// Decrease the quantity of a line by one.
    case decrement
    /// Remove a line.
    case removeItem = "remove_item"
    /// Remove a set.
    case removeSale = "remove_sale"
    /// Remove one item from a set.
    case removeSaleItem = "remove_sale_item"
    /// Remove everything.
    case clear
    /// Show the order that the basket became.
    case viewOrder = "view_order"
}

extension PricedBasket {
    /// The possible actions. `checkout` is the first of them if every item can be ordered now or at its next serving
    /// time. An ordered basket offers only `viewOrder`.
    package var actions: [BasketAction] {
        guard basket.state == .open else { return [.viewOrder] }
        return BasketAction.allCases.filter { action in
            switch action {
            case .checkout: !basket.isEmpty && items.allSatisfy(\.isOrderableNowOrLater)
            case .addItem, .addSale: !basket.isFull
            case .increment:
                lines.contains { $0.isOrderableNowOrLater && $0.line.quantity < Line.quantities.upperBound }
            case .decrement, .removeItem: !lines.isEmpty
            case .removeSale, .removeSaleItem: !sets.isEmpty
            case .clear: !basket.isEmpty
            case .viewOrder: false
            }
        }
    }
}
