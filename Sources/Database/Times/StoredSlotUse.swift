// Reads the composite type slot_use (sql/016_hours.sql).
import Ordering
import Postgres

/// The orders and dishes of a slot.
struct StoredSlotUse: PostgresComposite, Equatable {
    static let compositeName = "slot_use"

    var startsAt = Timestamp(microseconds: 0)
    var orderCount: Int64 = 0
    var itemCount: Int64 = 0
    var fulfilment = ""

    mutating func code(with record: inout RecordCoder) throws(CodingError) {
        try record.field("starts_at", &startsAt)
        try record.field("order_count", &orderCount)
        try record.field("item_count", &itemCount)
        try record.field("fulfilment", &fulfilment)
    }
}

extension Row {
    /// Reads the usage of slots; nil if nothing was read or taken.
    mutating func nextSlots() throws(PostgresError) -> SlotOccupancy? {
        guard let stored = try next([StoredSlotUse]?.self) else { return nil }
        var uses: [SlotKey: SlotUse] = [:]
        for use in stored {
            guard let fulfilment = Fulfilment(rawValue: use.fulfilment) else { continue }
            uses[SlotKey(fulfilment, Instant(use.startsAt))] = SlotUse(orders: use.orderCount, items: use.itemCount)
        }
        return SlotOccupancy(uses)
    }
}
