// Sets and removes the photographs of menu items.
import Database
import Ordering
import Photographs

/// The result of changing a photograph.
package enum PhotographChange: Sendable {
    /// The photograph was set or removed, or the item does not exist.
    case done(StockChange)
    /// The file could not be processed.
    case rejected(PhotographError)
}

extension StaffOperations {
    /// Processes a photograph and shows it with the item.
    package func setPhotograph(of item: MenuItemID, from bytes: [UInt8], by member: StaffMember) async throws(ShopFault)
        -> PhotographChange
    {
        // An unknown item is rejected before the expensive processing.
        guard let known = menu.current?.menu else { throw .unavailable }
        guard let found = known.item(item), !found.isRetired else { return .done(.notFound) }
        let photograph: ProcessedPhotograph
        do throws(PhotographError) { photograph = try await photoProcessor.process(bytes) } catch {
            return .rejected(error)
        }
        return .done(try await show(photograph, with: item, by: member))
    }

    /// Removes the photograph: the item is shown with its drawing.
    package func removePhotograph(of item: MenuItemID, by member: StaffMember) async throws(ShopFault) -> StockChange {
        try await show(nil, with: item, by: member)
    }

    private func show(
        _ photograph: ProcessedPhotograph?, with item: MenuItemID, by member: StaffMember
    ) async throws(ShopFault) -> StockChange {
        try await change(.item(item)) { database throws(DatabaseFault) in
            try await database.setPhotograph(of: item, to: photograph, by: member)
        }
    }
}
