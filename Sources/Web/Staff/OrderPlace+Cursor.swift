// The cursor of staff's list of orders: where a page of it ends, as text. Used by StaffOrderQuery and StaffRoutes.
import Ordering

extension OrderPlace {
    /// Reads what `cursor` writes; nil for anything else.
    init?(cursor text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        // Up to the year 2100, far from the end of PostgreSQL's time.
        guard text.utf8.count <= 64, parts.count == 2, let microseconds = Int64(parts[0]),
            (0...4_102_444_800_000_000).contains(microseconds),
            let id = OrderID(parts[1])
        else { return nil }
        self.init(placedAt: Instant(microseconds: microseconds), id: id)
        guard cursor == text else { return nil }
    }

    /// Microseconds since 1970, a dot, and the id.
    var cursor: String { "\(placedAt.microseconds).\(id)" }
}
