// Where an order stands in the list that staff page through. The database lists by it, Web makes a cursor of it.

/// An order's position: by the moment it was placed at, then by its id.
package struct OrderPosition: Sendable, Hashable {
    /// The moment.
    package let placedAt: Instant
    /// The order.
    package let id: OrderID

    /// The position of this order.
    package init(placedAt: Instant, id: OrderID) {
        (self.placedAt, self.id) = (placedAt, id)
    }
}
