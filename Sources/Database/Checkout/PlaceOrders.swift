// Places the accepted orders of a batch in one call of place_orders (sql/006_place_orders.sql), one durable transaction.
// Called by CheckoutQueue with what Ordering decided. Read next: Orders/StoredLines.swift for how lines are kept, and StoredTotals.swift beside it.
import FoundationEssentials
import Ordering
import Postgres

extension ShopDatabase {
    /// What the orders got that were placed. Those missing lost a race since their facts were read, and left nothing behind.
    /// - Parameter revision: Of the menu that they were priced by, if it has still to count: none is placed if another one does.
    func placeOrders(_ drafts: [OrderDraft], ifMenuIs revision: Int64? = nil) async throws(PostgresError) -> [OrderID: Placing] {
        guard let any = drafts.first else { return [:] }
        return try await placeOrders(drafts, ifMenuIs: revision, on: any.id)
    }

    /// The same where `any`, one of them, lies; without any, a look at whether it could be done.
    func placeOrders(
        _ drafts: [OrderDraft], ifMenuIs revision: Int64? = nil, on any: OrderID
    ) async throws(PostgresError) -> [OrderID: Placing] {
        // All were priced by one menu at one moment.
        let (at, currency) = (drafts.first?.placedAt, drafts.first?.quote.currency.code.text ?? "")
        // In the order of their ids, so that two batches lock in the same order.
        let drafts = drafts.sorted { $0.id < $1.id }
        var lines = StoredLines()
        var firsts: [Int32] = []
        var lasts: [Int32] = []
        for draft in drafts {
            firsts.append(Int32(lines.count + 1))
            lines.append(lines: draft.lines, sets: draft.sets)
            lasts.append(Int32(lines.count))
        }
        var totals = StoredTotals()
        for draft in drafts { totals.append(draft.totals) }
        var uses = StoredUses()
        for (index, draft) in drafts.enumerated() {
            if let use = draft.coupon?.use { uses.append(use, order: index + 1) }
        }
        var parameters = Parameters()
        parameters.append(any.uuid)
        parameters.append(at?.timestamp)
        parameters.append(revision)
        parameters.append(drafts.map(\.id.uuid))
        parameters.append(drafts.map(\.basketVersion))
        parameters.append(drafts.map(\.key.text))
        parameters.append(drafts.map { Bytea($0.fingerprint) })
        parameters.append(drafts.map(\.details.name.text))
        parameters.append(drafts.map(\.details.phone.e164))
        parameters.append(drafts.map(\.details.email.text))
        parameters.append(drafts.map(\.details.address.text))
        parameters.append(drafts.map(\.details.comment?.text))
        parameters.append(drafts.map(\.coupon?.key.text))
        parameters.append(drafts.map(\.coupon?.id.rawValue))
        parameters.append(drafts.map(\.coupon?.version))
        parameters.append(drafts.map(\.subtotal.minorUnits))
        parameters.append(drafts.map(\.discount.minorUnits))
        parameters.append(drafts.map(\.total.minorUnits))
        parameters.append(currency)
        parameters.append(drafts.map { Int32($0.etaMinutes) })
        parameters.append(totals.firsts)
        parameters.append(totals.lasts)
        parameters.append(totals.kinds)
        parameters.append(totals.codes)
        parameters.append(totals.titles)
        parameters.append(totals.amounts)
        parameters.append(totals.areIncluded)
        parameters.append(totals.rates)
        parameters.append(drafts.map { $0.holds.from?.timestamp })
        parameters.append(drafts.map { $0.holds.until?.timestamp })
        parameters.append(firsts)
        parameters.append(lasts)
        parameters.append(lines.items)
        parameters.append(lines.kinds)
        parameters.append(lines.titles)
        parameters.append(lines.quantities)
        parameters.append(lines.regularPrices)
        parameters.append(lines.prices)
        parameters.append(lines.discounts)
        parameters.append(lines.sales)
        parameters.append(lines.saleTitles)
        parameters.append(uses.orders)
        parameters.append(uses.coupons)
        parameters.append(uses.guestKeys)
        parameters.append(uses.periods)
        parameters.append(uses.slots)
        let placed = try await pool.query(Self.placeOrdersStatement, parameters, .writes) { row throws(PostgresError) in
            Placing(id: OrderID(try row.next(UUID.self)), number: try row.next(), at: Instant(try row.next(Timestamp.self)))
        }
        return Dictionary(placed.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    private static let placeOrdersStatement = Statement(
        "place_orders",
        """
        select id, number, placed_at from place_orders(
            $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23,
            $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46)
        """)
}

/// What an order gets when it is placed.
struct Placing: Sendable, Hashable {
    let id: OrderID
    let number: String
    let at: Instant
}

/// The rows for coupon_uses, as columns: one for each key of the guest.
private struct StoredUses {
    var orders: [Int32] = []
    var coupons: [Int64] = []
    var guestKeys: [String] = []
    var periods: [Int32] = []
    var slots: [Int32] = []

    mutating func append(_ use: CouponUse, order: Int) {
        for key in use.guestKeys {
            orders.append(Int32(order))
            coupons.append(use.subject.couponID)
            guestKeys.append(key)
            periods.append(Int32(use.period))
            slots.append(Int32(use.slot))
        }
    }
}

extension CouponUse.Subject {
    /// As in coupon_uses: no coupon has the id 0.
    fileprivate var couponID: Int64 {
        switch self {
        case .coupon(let id): id.rawValue
        case .firstOrder: 0
        }
    }
}
