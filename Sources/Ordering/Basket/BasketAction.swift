// What a guest can do next with a basket, so that a client draws its buttons from the answer instead of from rules of its own.

/// Something a guest can do with a basket, as written in its `actions`.
package enum BasketAction: String, Sendable, Hashable, CaseIterable {
    /// Order it.
    case checkout
    /// Put in an item that has no line yet.
    case addItem = "add_item"
    /// Put in a sale's set.
    case addSale = "add_sale"
    /// One more of a line.
    case increment
    /// One less of a line.
    case decrement
    /// Take a line out.
    case removeItem = "remove_item"
    /// Take a set out.
    case removeSale = "remove_sale"
    /// Take one item of a set out.
    case removeSaleItem = "remove_sale_item"
    /// Take everything out.
    case clear
    /// See the order it became.
    case viewOrder = "view_order"
}

extension PricedBasket {
    /// What can be done next. `checkout` stands first, and only where all can be ordered as it stands, if not for now then for when it is served; an
    /// ordered basket offers its order alone.
    package var actions: [BasketAction] {
        guard basket.state == .open else { return [.viewOrder] }
        return BasketAction.allCases.filter { action in
            switch action {
            case .checkout: !basket.isEmpty && items.allSatisfy(\.isOrderableInTime)
            case .addItem, .addSale: !basket.isFull
            case .increment: lines.contains { $0.isOrderableInTime && $0.line.quantity < Line.quantities.upperBound }
            case .decrement, .removeItem: !lines.isEmpty
            case .removeSale, .removeSaleItem: !sets.isEmpty
            case .clear: !basket.isEmpty
            case .viewOrder: false
            }
        }
    }
}
