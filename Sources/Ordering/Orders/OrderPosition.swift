// The position of an order in the staff's paged list, used as a cursor.

/// Orders are sorted by the time of their placement, then by id.
package struct OrderPosition: Sendable, Hashable {
    /// When the order was placed.
    package let placedAt: Instant
    /// The order.
    package let id: OrderID

    /// A position.
    package init(placedAt: Instant, id: OrderID) {
        (self.placedAt, self.id) = (placedAt, id)
    }
}
