// Rows that orders change and that another transaction may have locked.
import Ordering

/// A row that a checkout or a step of an order locks.
package enum ContestedRow: Sendable, Hashable {
    /// The order.
    case order(OrderID)
    /// The basket that becomes the order.
    case basket(BasketID)
    /// The redemption count of a coupon.
    case coupon(CouponID)
    /// The capacity of a slot.
    case slot(SlotKey)
    /// The stock count of an item or option.
    case stock(StockKey)
    /// The units sold on the business day that starts at this time.
    case dailyStock(StockKey, start: Instant)

    /// The table of the row.
    package var table: String {
        switch self {
        case .order: "orders"
        case .basket: "baskets"
        case .coupon: "coupon_redemptions"
        case .slot: "slot_uses"
        case .stock(.item): "item_stock"
        case .stock(.option): "option_stock"
        case .dailyStock: "stock_days"
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
        case .stock(let thing): "\(table) \(thing.id)"
        case .dailyStock(let thing, let start): "\(table) \(thing.subject) \(thing.id) from \(start.rfc3339)"
        }
    }
}

extension OrderDraft {
    /// The rows that other orders may need, too.
    package var contestedRows: Set<ContestedRow> {
        var rows: Set<ContestedRow> = []
        for (thing, _) in stock.all {
            rows.insert(.stock(thing))
            if let start = stock.dayStart(of: thing) { rows.insert(.dailyStock(thing, start: start)) }
        }
        if let coupon { rows.insert(.coupon(coupon.id)) }
        if let slot { rows.insert(.slot(slot.key)) }
        return rows
    }

    /// All existing rows that placing the order locks.
    package var rowsToLock: Set<ContestedRow> { contestedRows.union([.basket(id)]) }
}
