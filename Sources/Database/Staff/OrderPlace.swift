// Where a page of staff's list of orders ends. Used by LoadStaffOrders.swift; Web's StaffOrderQuery writes it as a cursor.
import Ordering

/// Where an order stands in the list: by the moment it was placed at, then by its id.
package struct OrderPlace: Sendable, Hashable {
    /// The moment.
    package let placedAt: Instant
    /// The order.
    package let id: OrderID

    /// The place of this order.
    package init(placedAt: Instant, id: OrderID) {
        (self.placedAt, self.id) = (placedAt, id)
    }
}
