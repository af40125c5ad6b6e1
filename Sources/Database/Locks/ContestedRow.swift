// The rows that orders wait for one another at, and that staff may hold in a transaction of theirs. Made of an order's draft, or read of an order;
// asked for by LoadLockedRows.swift, remembered by Shop's LockedRows.
import Ordering

/// A row that orders change.
package enum ContestedRow: Sendable, Hashable {
    /// The order itself.
    case order(OrderID)
    /// How often a coupon was redeemed.
    case coupon(CouponID)
    /// What is taken of a slot.
    case slot(SlotKey)
    /// How many there are of a dish or an option.
    case count(StockedThing)
}

extension ContestedRow: CustomStringConvertible {
    /// For the operator, who looks for it: the table and the row.
    package var description: String {
        switch self {
        case .order(let id): "orders \(id)"
        case .coupon(let id): "coupons \(id)"
        case .slot(let slot): "slot_uses \(slot.fulfilment.rawValue) \(slot.startsAt.rfc3339)"
        case .count(.item(let id)): "item_stock \(id)"
        case .count(.option(let id)): "option_stock \(id)"
        }
    }
}

extension OrderDraft {
    /// What placing it changes besides its own rows.
    package var contestedRows: Set<ContestedRow> {
        var rows = Set(stock.all.map { ContestedRow.count($0.thing) })
        if let coupon { rows.insert(.coupon(coupon.id)) }
        if let slot { rows.insert(.slot(slot.key)) }
        return rows
    }
}
