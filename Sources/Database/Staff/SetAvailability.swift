// Sells an item out, or brings it back. Called by Web's staff routes; `update menu_items` in SQL is the same.
// Read next: Menu/CurrentMenu.swift, which shows it to everyone.
import Ordering
import Postgres

extension Shop {
    /// Says whether an item can be ordered now; the menu that has it so, or nil where there is no such item or it is off the menu.
    public func setAvailability(of id: MenuItemID, to isAvailable: Bool) async throws(PostgresError) -> (menu: Menu, item: any MenuItem)? {
        // It waits where somebody is changing the menu in SQL.
        try await office.setAvailability(of: id, to: isAvailable)
        let menu = try await menu.menu(atLeast: office.loadMenuRevision())
        guard let item = menu.item(id), !item.isRetired else { return nil }
        return (menu, item)
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
