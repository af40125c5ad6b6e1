// Sells an item out, or brings it back. Called by Web's staff routes; `update menu_items` in SQL is the same.
// Read next: Menu/CurrentMenu.swift, which shows it to everyone; WaitForRow.swift.
import Ordering
import Postgres

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
    /// Says whether an item can be ordered now.
    package func setAvailability(of id: MenuItemID, to isAvailable: Bool) async throws(PostgresError) -> AvailabilityChange {
        let isDone: Void? = try await waitingForRow { () throws(PostgresError) in
            try await office.setAvailability(of: id, to: isAvailable)
        }
        guard isDone != nil else { return .menuIsHeld }
        let menu = try await menu.menu(atLeast: office.loadMenuRevision().revision)
        guard let item = menu.item(id), !item.isRetired else { return .unknown }
        return .changed(menu: menu, item: item)
    }
}

extension ShopDatabase {
    fileprivate func setAvailability(of id: MenuItemID, to isAvailable: Bool) async throws(PostgresError) {
        try await pool.execute(Self.availabilityStatement, .writes, id.rawValue, isAvailable)
    }

    /// What is so already is left alone, or everybody would read the menu again for nothing.
    private static let availabilityStatement = Statement(
        "set_availability", "update menu_items set is_available = $2 where id = $1 and is_available <> $2 and not is_retired")
}
