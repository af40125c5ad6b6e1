// Loads how much of some slots is taken. The checkout loads the slots that it wants with its facts (slots_taken in
// sql/027_slot_reads.sql).
import Ordering
import Postgres

extension ShopDatabase {
    /// Loads the occupancy of the slots of a query.
    package func loadSlotsTaken(_ question: SlotQuery) async throws(DatabaseFault) -> SlotOccupancy {
        let fulfilments = question.fulfilments.map(\.rawValue).sorted()
        let (first, last) = (question.starts.lowerBound.timestamp, question.starts.upperBound.timestamp)
        return try await query(Self.slotsTakenStatement, .reads, fulfilments, first, last) {
            try $0.nextSlots() ?? .none
        }.first ?? .none
    }

    // Reads one range of the key for each fulfilment.
    private static let slotsTakenStatement = Statement(
        "slots_taken",
        """
        select array_agg(row(starts_at, order_count, item_count, fulfilment)::slot_use) from slot_uses
        where fulfilment = any ($1) and starts_at between $2 and $3
        """)
}
