// The changes a guest can make to a basket, and why one can be refused. Web makes a change of each request, the database stores
// the basket that comes out. Next: BasketApplying.swift, where they happen.

/// One change of a basket.
package enum BasketChange: Sendable, Hashable {
    /// Adds to the line of this dish, or a new line. The quantity is the raw number of the request.
    case addItem(ChosenDish, quantity: Int64)
    /// One more of a line.
    case increment(LineReference)
    /// One less of a line; at zero the line is gone.
    case decrement(LineReference)
    /// Takes the line out.
    case removeItem(LineReference)
    /// Makes another quantity or dish of a line; one that becomes equal to another joins the lower id.
    case edit(LineID, LineEdit)
    /// Adds a sale's set in one step, with what was chosen for its units; the others come as they are.
    case addSale(SalesGroupID, [ChosenDish])
    /// Chooses anew for the units of a set. The set gets the units that its sale has now.
    case editSale(SalesGroupID, [ChosenDish])
    /// Takes a sale's set out.
    case removeSale(SalesGroupID)
    /// Takes one item of a set out; with the last one the set is gone.
    case removeSaleItem(SalesGroupID, MenuItemID)
    /// Takes everything out.
    case clear
}

/// How a request names a line.
package enum LineReference: Sendable, Hashable {
    case line(LineID)
    /// The only line of this item.
    case item(MenuItemID)
}

/// What a line is to become; nil stays.
package struct LineEdit: Sendable, Hashable {
    /// The raw number of the request.
    package let quantity: Int64?
    /// Other options.
    package let options: [ChosenOption]?
    /// Another note, or none.
    package let note: Result<KitchenNote?, FieldError>?

    /// A change of these, as it was sent; a note that is nil in itself is taken away.
    package init(quantity: Int64? = nil, options: [ChosenOption]? = nil, note: String?? = nil) {
        (self.quantity, self.options) = (quantity, options)
        self.note = note.map { KitchenNote.parse($0 ?? "") }
    }
}

/// Why a change was refused; the basket is as it was.
package enum BasketRefusal: Error, Sendable, Hashable {
    /// It became an order, which has the basket's id.
    case basketAlreadyOrdered
    /// There is no such line, or the item is not in the set.
    case itemNotInBasket
    /// The item has these lines, and the request does not say which.
    case severalLines([LineID])
    /// No such item, or it is off the menu for good.
    case menuItemNotFound
    /// No such sale, it is over, or its set is not in the basket.
    case saleNotFound
    /// A sale's set is in a basket once at most.
    case saleAlreadyInBasket
    /// The item is sold out, or an item of which the set would get more units.
    case itemSoldOut
    /// The line would hold fewer than 1 or more than `limit`.
    case quantityOutOfRange(limit: Int)
    /// There are `limit` lines and sets already.
    case basketFull(limit: Int)
    /// There would be more than `limit` entries of options.
    case tooManyOptions(limit: Int)
    /// The sale is information only.
    case saleHasNoItems
    /// What was chosen can't be chosen, or the note can't be one.
    case invalid(FieldErrors)
}
