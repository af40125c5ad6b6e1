// How much of each slot is taken, as the database counts it. A fact of checkouts and of the times that are offered. Next: SlotTimes.swift.

/// One slot of one kind. In the order in which the placing call takes them.
package struct SlotKey: Sendable, Hashable, Comparable {
    package let fulfilment: Fulfilment
    package let startsAt: Instant

    package init(_ fulfilment: Fulfilment, _ startsAt: Instant) { (self.fulfilment, self.startsAt) = (fulfilment, startsAt) }

    package static func < (left: SlotKey, right: SlotKey) -> Bool {
        (left.fulfilment.rawValue, left.startsAt) < (right.fulfilment.rawValue, right.startsAt)
    }
}

/// What is taken of a slot.
package struct SlotUse: Sendable, Hashable {
    package let orders: Int64
    /// Units of dishes, those of sets too.
    package let items: Int64

    /// Nothing.
    package static let none = SlotUse(orders: 0, items: 0)

    package init(orders: Int64, items: Int64) { (self.orders, self.items) = (orders, items) }

    package static func + (left: SlotUse, right: SlotUse) -> SlotUse {
        let (orders, items) = (left.orders.addingReportingOverflow(right.orders), left.items.addingReportingOverflow(right.items))
        return SlotUse(orders: orders.overflow ? .max : orders.partialValue, items: items.overflow ? .max : items.partialValue)
    }
}

/// What is taken of each slot.
package struct SlotsTaken: Sendable, Hashable {
    private let uses: [SlotKey: SlotUse]

    /// Nobody has ordered for later.
    package static let none = SlotsTaken()

    package init(_ uses: [SlotKey: SlotUse] = [:]) { self.uses = uses }

    package subscript(slot: SlotKey) -> SlotUse { uses[slot] ?? .none }
}

extension FulfilmentTerms {
    /// Whether a slot of which this is taken takes an order of so many dishes more.
    package func hasPlace(for items: Int64, beside taken: SlotUse) -> Bool {
        let all = taken + SlotUse(orders: 1, items: max(items, 0))
        return ordersPerSlot.map { all.orders <= $0 } ?? true && itemsPerSlot.map { all.items <= $0 } ?? true
    }

    /// How many orders more a slot takes; nil: without end.
    func ordersLeft(beside taken: SlotUse) -> Int64? { ordersPerSlot.map { max($0 - min(taken.orders, $0), 0) } }
}
