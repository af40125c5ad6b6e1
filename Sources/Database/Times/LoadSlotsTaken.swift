// Loads how much of each slot is taken (slots_taken in sql/016_hours.sql).
import Ordering
import Postgres

extension ShopDatabase {
    /// Loads the usage of the slots that have not begun.
    package func loadSlotsTaken() async throws(DatabaseFault) -> SlotOccupancy {
        try await query(Self.slotsTakenStatement, .reads) { try $0.nextSlots() ?? .none }.first ?? .none
    }

    private static let slotsTakenStatement = Statement("slots_taken", "select slots_taken(now())")
}
