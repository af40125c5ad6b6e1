// Sells an item out, or brings it back. Called by Shop's StaffDesk; `update menu_items` in SQL is the same.
import Ordering
import Postgres

extension ShopDatabase {
    /// Says whether, or from when on, an item can be ordered, if it is on the menu.
    package func setAvailability(of id: MenuItemID, to mark: StockMark) async throws(DatabaseFault) {
        var until: Instant?
        if case .soldOut(let moment) = mark { until = moment }
        // What comes back by itself is not sold out until further notice.
        let isAvailable = mark == .available || until != nil
        try await execute(Self.availabilityStatement, .writes, id.rawValue, isAvailable, until?.timestamp)
    }

    /// What is so already is left alone, or everybody would read the menu again for nothing.
    private static let availabilityStatement = Statement(
        "set_availability",
        """
        update menu_items set is_available = $2, sold_out_until = $3
        where id = $1 and (is_available, sold_out_until) is distinct from ($2, $3) and not is_retired
        """)
}
