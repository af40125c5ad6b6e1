// How much of the slots is taken, as slots_taken tells it (sql/016_hours.sql): for checkouts, with their other facts, and by itself for the times
// that are offered. Called by Shop's ShopTimes, and by LoadCheckoutFacts.
import Ordering
import Postgres

extension ShopDatabase {
    /// What is taken of the slots that have not begun.
    package func loadSlotsTaken() async throws(DatabaseFault) -> SlotsTaken {
        try await query(Self.slotsTakenStatement, .reads) { row throws(PostgresError) in try row.nextSlots() ?? .none }.first ?? .none
    }

    private static let slotsTakenStatement = Statement("slots_taken", "select slots_taken(now())")
}

extension Row {
    /// The slots; nil where none were read, or nothing is taken.
    mutating func nextSlots() throws(PostgresError) -> SlotsTaken? {
        guard let numbers = try next([Int64]?.self) else { return nil }
        var uses: [SlotKey: SlotUse] = [:]
        for start in stride(from: 0, to: numbers.count, by: 4) {
            guard start + 4 <= numbers.count else { throw .undecodable("the slots are not whole") }
            let key = SlotKey(numbers[start] == 0 ? .delivery : .pickup, Instant(microseconds: numbers[start + 1]))
            uses[key] = SlotUse(orders: numbers[start + 2], items: numbers[start + 3])
        }
        return SlotsTaken(uses)
    }
}
