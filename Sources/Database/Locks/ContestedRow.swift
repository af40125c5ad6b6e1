// Rows that orders change, and that another transaction may have locked. LoadLockedRows.swift asks which are locked;
// LockedRows (Shop) remembers them.
import Ordering

/// A row that a checkout or a step of an order locks.
package enum ContestedRow: Sendable, Hashable {
    /// The order itself.
    case order(OrderID)
    /// The basket that becomes the order.
    case basket(BasketID)
    /// How often a coupon was redeemed.
    case coupon(CouponID)
    /// How many orders a slot has.
    case slot(SlotKey)
    /// How many there are of an item or an option.
    case count(StockedThing)
    /// How many were sold of it on the business day that begins at this time.
    case day(StockedThing, start: Instant)

    /// The table that contains the row.
    package var table: String {
        switch self {
        case .order: "orders"
        case .basket: "baskets"
        case .coupon: "coupon_redemptions"
        case .slot: "slot_uses"
        case .count(.item): "item_stock"
        case .count(.option): "option_stock"
        case .day: "stock_days"
        }
    }
}

extension ContestedRow: CustomStringConvertible {
    /// The table and the row, for the log.
    package var description: String {
        switch self {
        case .order(let id), .basket(let id): "\(table) \(id)"
        case .coupon(let id): "\(table) \(id)"
        case .slot(let slot): "\(table) \(slot.fulfilment.rawValue) \(slot.startsAt.rfc3339)"
        case .count(let thing): "\(table) \(thing.id)"
        case .day(let thing, let start): "\(table) \(thing.subject) \(thing.id) from \(start.rfc3339)"
        }
    }
}

extension OrderDraft {
    /// The rows that other orders may want too.
    package var contestedRows: Set<ContestedRow> {
        var rows: Set<ContestedRow> = []
        for (thing, _) in stock.all {
            rows.insert(.count(thing))
            if let start = stock.dayStart(of: thing) { rows.insert(.day(thing, start: start)) }
        }
        if let coupon { rows.insert(.coupon(coupon.id)) }
        if let slot { rows.insert(.slot(slot.key)) }
        return rows
    }

    /// All rows that exist before and that placing the order locks.
    package var rowsToLock: Set<ContestedRow> { contestedRows.union([.basket(id)]) }
}
