// The changes a guest can make to a basket, and why one can be refused. Web makes a change of each request, the database stores
// the basket that comes out. Next: BasketApplying.swift, where they happen.

/// One change of a basket.
package enum BasketChange: Sendable, Hashable {
    /// Adds to the item's line, or a new line. The quantity is the raw number of the request.
    case addItem(MenuItemID, quantity: Int64)
    /// One more of a line.
    case increment(MenuItemID)
    /// One less of a line; at zero the line is gone.
    case decrement(MenuItemID)
    /// Takes the line out.
    case removeItem(MenuItemID)
    /// Adds a sale's set in one step.
    case addSale(SalesGroupID)
    /// Takes a sale's set out.
    case removeSale(SalesGroupID)
    /// Takes one item of a set out; with the last one the set is gone.
    case removeSaleItem(SalesGroupID, MenuItemID)
    /// Takes everything out.
    case clear
}

/// Why a change was refused; the basket is as it was.
package enum BasketRefusal: Error, Sendable, Hashable {
    /// It became an order, which has the basket's id.
    case basketAlreadyOrdered
    /// There is no line of this item, or it is not in the set.
    case itemNotInBasket
    /// No such item, or it is off the menu for good.
    case menuItemNotFound
    /// No such sale, it is over, or (when removing) its set is not in the basket.
    case saleNotFound
    /// A sale's set is in a basket once at most.
    case saleAlreadyInBasket
    /// The item, or an item of the set, can't be had now.
    case itemSoldOut
    /// The line would hold fewer than 1 or more than `limit`.
    case quantityOutOfRange(limit: Int)
    /// There are `limit` lines and sets already.
    case basketFull(limit: Int)
    /// The sale is information only.
    case saleHasNoItems
}
