// Sells an item out, or brings it back. Called by Shop's StaffDesk; `update menu_items` in SQL is the same.
import Ordering
import Postgres

extension ShopDatabase {
    /// Says whether an item can be ordered now, if it is on the menu.
    package func setAvailability(of id: MenuItemID, to isAvailable: Bool) async throws(DatabaseFault) {
        try await execute(Self.availabilityStatement, .writes, id.rawValue, isAvailable)
    }

    /// What is so already is left alone, or everybody would read the menu again for nothing.
    private static let availabilityStatement = Statement(
        "set_availability", "update menu_items set is_available = $2 where id = $1 and is_available <> $2 and not is_retired")
}
