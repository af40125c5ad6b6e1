// Loads how much of each slot is taken (slots_taken in sql/016_hours.sql).
import Ordering
import Postgres

extension ShopDatabase {
    /// Loads the usage of the slots that have not begun.
    package func loadSlotsTaken() async throws(DatabaseFault) -> SlotOccupancy {
        try await query(Self.slotsTakenStatement, .reads) { row throws(PostgresError) in try row.nextSlots() ?? .none }
            .first ?? .none
    }

    private static let slotsTakenStatement = Statement("slots_taken", "select slots_taken(now())")
}

extension Row {
    /// Reads the usage of slots; nil if nothing was read or taken.
    mutating func nextSlots() throws(PostgresError) -> SlotOccupancy? {
        guard let numbers = try next([Int64]?.self) else { return nil }
        var uses: [SlotKey: SlotUse] = [:]
        for start in stride(from: 0, to: numbers.count, by: 4) {
            guard start + 4 <= numbers.count else { throw .undecodable("the slots are incomplete") }
            let key = SlotKey(numbers[start] == 0 ? .delivery : .pickup, Instant(microseconds: numbers[start + 1]))
            uses[key] = SlotUse(orders: numbers[start + 2], items: numbers[start + 3])
        }
        return SlotOccupancy(uses)
    }
}
