// The changes that guests can make to a basket, and the reasons to reject a change.

/// A change of a basket.
package enum BasketChange: Sendable, Hashable {
    /// Adds to the line of this dish, or creates a line. The quantity is the raw number of the request.
    case addItem(RawDish, quantity: Int64)
    /// Increases the quantity of a line by one.
    case increment(LineReference)
    /// Decreases the quantity of a line by one; at zero the line is removed.
    case decrement(LineReference)
    /// Removes the line.
    case removeItem(LineReference)
    /// Changes the quantity or the dish of a line. A line that becomes equal to another is merged into the one with
    /// the lower id.
    case edit(LineID, LineEdit)
    /// Adds a set with these dishes for its units. Units without a chosen dish get the default options.
    case addSale(SalesGroupID, [RawDish])
    /// Chooses the dishes of a set again. The set gets the units that its sales group has now.
    case editSale(SalesGroupID, [RawDish])
    /// Removes a set.
    case removeSale(SalesGroupID)
    /// Removes one item from a set; after the last item the set is removed too.
    case removeSaleItem(SalesGroupID, MenuItemID)
    /// Removes everything.
    case clear
}

/// A reference to a line in a request.
package enum LineReference: Sendable, Hashable {
    case line(LineID)
    /// The only line with this item.
    case item(MenuItemID)
}

/// The new values of a line; nil keeps the old value.
package struct LineEdit: Sendable, Hashable {
    /// The raw number of the request.
    package let quantity: Int64?
    /// The new options.
    package let options: [RawOptionChoice]?
    /// The new texts.
    package let texts: RawDishTexts

    /// A change with these texts.
    package init(quantity: Int64? = nil, options: [RawOptionChoice]? = nil, texts: RawDishTexts) {
        (self.quantity, self.options, self.texts) = (quantity, options, texts)
    }

    /// A change with values as sent. An outer nil keeps the note, an inner nil removes it.
    package init(quantity: Int64? = nil, options: [RawOptionChoice]? = nil, note: String?? = nil) {
        self.init(quantity: quantity, options: options, texts: RawDishTexts(note: note))
    }
}

/// Why a change was rejected; the basket is unchanged.
package enum BasketChangeRejection: Error, Sendable, Hashable {
    /// The basket became an order with the same id.
    case basketAlreadyOrdered
    /// The basket has no such line, or the set does not contain the item.
    case itemNotInBasket
    /// Several lines contain the item, and the request does not name one of them.
    case severalLines([LineID])
    /// The item does not exist or is retired.
    case menuItemNotFound
    /// The sales group does not exist or is no longer offered, or the basket has no set of it.
    case saleNotFound
    /// The basket already contains a set of this sales group.
    case saleAlreadyInBasket
    /// The item is sold out, or the set would get more units of a sold-out item.
    case itemSoldOut
    /// The quantity of the line would be less than 1 or more than `limit`.
    case quantityOutOfRange(limit: Int)
    /// The basket already contains `limit` lines and sets.
    case basketFull(limit: Int)
    /// The basket would contain more than `limit` selected options.
    case tooManyOptions(limit: Int)
    /// The sales group only informs; it has no items.
    case saleHasNoItems
    /// The options or the texts are invalid.
    case invalid(FieldErrors)
}
