// Where a page of staff's list of orders ends, and its cursor. Used by LoadStaffOrders.swift and by Web's StaffOrderQuery.
import Ordering

/// Where an order stands in the list: by the moment it was placed at, then by its id.
package struct OrderPlace: Sendable, Hashable, CustomStringConvertible {
    /// The moment.
    package let placedAt: Instant
    /// The order.
    package let id: OrderID

    init(placedAt: Instant, id: OrderID) {
        (self.placedAt, self.id) = (placedAt, id)
    }

    /// Reads what `description` writes; nil for anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        // Up to the year 2100, far from the end of PostgreSQL's time.
        guard text.utf8.count <= 64, parts.count == 2, let microseconds = Int64(parts[0]),
            (0...4_102_444_800_000_000).contains(microseconds),
            let id = OrderID(parts[1])
        else { return nil }
        self.init(placedAt: Instant(microseconds: microseconds), id: id)
        guard description == text else { return nil }
    }

    /// Microseconds since 1970, a dot, and the id.
    package var description: String { "\(placedAt.microseconds).\(id)" }
}
