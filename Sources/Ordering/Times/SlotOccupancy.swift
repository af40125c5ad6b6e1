// The occupancy of slots, as counted by the database.

/// A slot of one fulfilment. The order is the locking order.
package struct SlotKey: Sendable, Hashable, Comparable {
    package let fulfilment: Fulfilment
    package let startsAt: Instant

    package init(_ fulfilment: Fulfilment, _ startsAt: Instant) {
        (self.fulfilment, self.startsAt) = (fulfilment, startsAt)
    }

    package static func < (left: SlotKey, right: SlotKey) -> Bool {
        (left.fulfilment.rawValue, left.startsAt) < (right.fulfilment.rawValue, right.startsAt)
    }
}

/// The used capacity of a slot.
package struct SlotUse: Sendable, Hashable {
    package let orders: Int64
    /// The number of dishes, including those of sets.
    package let items: Int64

    /// No capacity used.
    package static let none = SlotUse(orders: 0, items: 0)

    package init(orders: Int64, items: Int64) { (self.orders, self.items) = (orders, items) }

    package static func + (left: SlotUse, right: SlotUse) -> SlotUse {
        let (orders, items) = (
            left.orders.addingReportingOverflow(right.orders), left.items.addingReportingOverflow(right.items)
        )
        return SlotUse(
            orders: orders.overflow ? .max : orders.partialValue, items: items.overflow ? .max : items.partialValue)
    }
}

/// The used capacity of each slot.
package struct SlotOccupancy: Sendable, Hashable {
    private let uses: [SlotKey: SlotUse]

    /// All slots are empty.
    package static let none = SlotOccupancy()

    package init(_ uses: [SlotKey: SlotUse] = [:]) { self.uses = uses }

    package subscript(slot: SlotKey) -> SlotUse { uses[slot] ?? .none }

    /// The occupancy of these slots and of others. A slot that both contain keeps its own.
    func adding(_ others: SlotOccupancy) -> SlotOccupancy {
        SlotOccupancy(uses.merging(others.uses) { own, _ in own })
    }
}

extension FulfilmentTerms {
    /// Whether the number of orders or dishes in a slot is limited.
    var hasSlotLimit: Bool { ordersPerSlot != nil || itemsPerSlot != nil }

    /// Whether a slot with this occupancy has capacity for an order with this many dishes.
    package func hasCapacity(for items: Int64, alongside taken: SlotUse) -> Bool {
        let all = taken + SlotUse(orders: 1, items: max(items, 0))
        return ordersPerSlot.map { all.orders <= $0 } ?? true && itemsPerSlot.map { all.items <= $0 } ?? true
    }

    /// The number of further orders that a slot accepts; nil: unlimited.
    func remainingOrders(alongside taken: SlotUse) -> Int64? {
        ordersPerSlot.map { max($0 - min(taken.orders, $0), 0) }
    }
}
