// Gives a dish the photograph that staff have sent, or takes it away. Called by Web's StaffPhotographRoutes.
// Read next: Sources/Photographs/PhotoStudio.swift, Sources/Database/Photographs.
import Database
import Ordering
import Photographs

/// What became of a photograph that staff sent.
package enum PhotographChange: Sendable {
    case done(StockChange)
    case refused(PhotographRefusal)
}

extension StaffDesk {
    /// Makes a photograph of these bytes and shows it with the item.
    package func setPhotograph(of item: MenuItemID, from bytes: [UInt8], by member: StaffMember) async throws(ShopFault) -> PhotographChange
    {
        // What is not on the menu is known without the work.
        guard let known = menu.current?.menu else { throw .unavailable }
        guard let found = known.item(item), !found.isRetired else { return .done(.unknown) }
        let photograph: DevelopedPhotograph
        do throws(PhotographRefusal) { photograph = try await studio.develop(bytes) } catch { return .refused(error) }
        return .done(try await show(photograph, with: item, by: member))
    }

    /// Shows the item with its drawing again.
    package func removePhotograph(of item: MenuItemID, by member: StaffMember) async throws(ShopFault) -> StockChange {
        try await show(nil, with: item, by: member)
    }

    private func show(
        _ photograph: DevelopedPhotograph?, with item: MenuItemID, by member: StaffMember
    ) async throws(ShopFault) -> StockChange {
        try await change(.item(item)) { () throws(DatabaseFault) in try await database.setPhotograph(of: item, to: photograph, by: member) }
    }
}
