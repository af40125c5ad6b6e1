// Sells an item out, or brings it back. Called by Web's staff routes; `update menu_items` in SQL is the same.
// Read next: Menu/CurrentMenu.swift, which shows it to everyone; WaitForRow.swift.
import Ordering
import Postgres

/// What staff say of an item's stock.
package enum StockMark: Sendable, Hashable {
    /// It can be had.
    case available
    /// It can't, before this moment, or until further notice.
    case soldOut(until: Instant?)
}

/// What became of selling an item out, or of bringing it back.
package enum AvailabilityChange: Sendable {
    /// The menu has it so, whether or not it was so before.
    case changed(menu: Menu, item: any MenuItem)
    /// There is no such item, or it is off the menu.
    case unknown
    /// Somebody is changing the menu in SQL and has not ended it.
    case menuIsHeld
}

extension Shop {
    /// Says whether, or from when on, an item can be ordered.
    package func setAvailability(of id: MenuItemID, to mark: StockMark) async throws(PostgresError) -> AvailabilityChange {
        let isDone: Void? = try await waitingForRow { () throws(PostgresError) in
            try await office.setAvailability(of: id, to: mark)
        }
        guard isDone != nil else { return .menuIsHeld }
        let newest = try await office.loadMenuRevision()
        let menu = try await menu.menu(atLeast: newest.revision).at(newest.now)
        guard let item = menu.item(id), !item.isRetired else { return .unknown }
        return .changed(menu: menu, item: item)
    }
}

extension ShopDatabase {
    fileprivate func setAvailability(of id: MenuItemID, to mark: StockMark) async throws(PostgresError) {
        var until: Instant?
        if case .soldOut(let moment) = mark { until = moment }
        // What comes back by itself is not sold out until further notice.
        let isAvailable = mark == .available || until != nil
        try await pool.execute(Self.availabilityStatement, .writes, id.rawValue, isAvailable, until?.timestamp)
    }

    /// What is so already is left alone, or everybody would read the menu again for nothing.
    private static let availabilityStatement = Statement(
        "set_availability",
        """
        update menu_items set is_available = $2, sold_out_until = $3
        where id = $1 and (is_available, sold_out_until) is distinct from ($2, $3) and not is_retired
        """)
}
