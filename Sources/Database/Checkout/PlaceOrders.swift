// Places the accepted orders of a batch in one call of place_orders (sql/006_place_orders.sql), one durable transaction.
// Called by Shop's CheckoutQueue with what Ordering decided. Read next: Orders/StoredOrderLines.swift for how lines are kept, and StoredTotals.swift beside it.
import FoundationEssentials
import Ordering
import Postgres

extension ShopDatabase {
    /// What the orders got that were placed. Those missing lost a race since their facts were read, and left nothing behind.
    /// - Parameters:
    ///   - revision: Of the menu that they were priced by, if it has still to count: none is placed if another one does.
    ///   - holds: Whether what they were decided from still is true; asked on a connection's thread, where it fails as a race if it is not.
    package func placeOrders(
        _ drafts: [OrderDraft], ifMenuIs revision: Int64? = nil, ifStill holds: (@Sendable () -> Bool)? = nil
    ) async throws(DatabaseFault) -> [OrderID: Placing] {
        guard let any = drafts.first else { return [:] }
        return try await placeOrders(drafts, ifMenuIs: revision, ifStill: holds, on: any.id)
    }

    /// The same where `any`, one of them, lies; without any, a look at whether it could be done.
    func placeOrders(
        _ drafts: [OrderDraft], ifMenuIs revision: Int64? = nil, ifStill holds: (@Sendable () -> Bool)? = nil, on any: OrderID
    ) async throws(DatabaseFault) -> [OrderID: Placing] {
        // In the order of their ids, so that two batches lock in the same order.
        let arguments = Self.arguments(drafts.sorted { $0.id < $1.id }, revision, on: any)
        let placed = try await query(Self.placeOrdersStatement, arguments.parameters, .writes, ifStill: holds) {
            row throws(PostgresError) in
            Placing(
                id: OrderID(try row.next(UUID.self)), number: try row.next(), at: Instant(try row.next(Timestamp.self)),
                dayNumber: try row.next(Int32?.self).map(Int.init))
        }
        return Dictionary(placed.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    private static func arguments(_ drafts: [OrderDraft], _ revision: Int64?, on any: OrderID?) -> Arguments {
        var lines = OrderLineColumns()
        var firsts: [Int32] = []
        var lasts: [Int32] = []
        for draft in drafts {
            firsts.append(Int32(lines.count + 1))
            lines.append(lines: draft.lines, sets: draft.sets)
            lasts.append(Int32(lines.count))
        }
        var totals = StoredTotals()
        for draft in drafts { totals.append(draft.totals, in: draft.language) }
        var uses = StoredUses()
        for (index, draft) in drafts.enumerated() {
            if let use = draft.coupon?.use { uses.append(use, order: index + 1) }
        }
        // With closures: a key path is walked at run time, which made this half as long again.
        var arguments = Arguments()
        arguments.append("any_basket", any?.uuid)
        // All were priced by one menu at one moment.
        arguments.append("at", drafts.first?.placedAt?.timestamp)
        arguments.append("menu", revision)
        arguments.append("the_currency", drafts.first?.quote.currency.code.text ?? "")
        arguments.append("ids", drafts.map { $0.id.uuid })
        arguments.append("versions", drafts.map { $0.basketVersion })
        arguments.append("keys", drafts.map { $0.key.text })
        arguments.append("fingerprints", drafts.map { Bytea($0.fingerprint) })
        arguments.append("names", drafts.map { $0.details.name.text })
        arguments.append("phones", drafts.map { $0.details.phone.e164 })
        arguments.append("emails", drafts.map { $0.details.email.text })
        arguments.append("addresses", drafts.map { $0.details.address?.text })
        arguments.append("subtotals", drafts.map { $0.subtotal.minorUnits })
        arguments.append("totals", drafts.map { $0.total.minorUnits })
        arguments.append("etas", drafts.map { $0.etaMinutes.map(Int32.init) })
        // What no order has costs nothing.
        let haveCoupons = drafts.contains { $0.coupon != nil }
        arguments.append("coupon_keys", haveCoupons ? drafts.map { $0.coupon?.key.text } : nil)
        arguments.append("coupon_ids", haveCoupons ? drafts.map { $0.coupon?.id.rawValue } : nil)
        arguments.append("coupon_versions", haveCoupons ? drafts.map { $0.coupon?.version } : nil)
        arguments.append("discounts", haveCoupons ? drafts.map { $0.discount.minorUnits } : nil)
        arguments.append("comments", drafts.contains { $0.details.comment != nil } ? drafts.map { $0.details.comment?.text } : nil)
        arguments.append("minimum_ages", drafts.contains { $0.minimumAge != nil } ? drafts.map { $0.minimumAge.map(Int32.init) } : nil)
        arguments.append("fulfilments", drafts.contains { $0.fulfilment != .delivery } ? drafts.map { $0.fulfilment.rawValue } : nil)
        arguments.append("postcodes", drafts.contains { $0.details.postcode != nil } ? drafts.map { $0.details.postcode?.text } : nil)
        let areForLater = drafts.contains { $0.wantedAt != nil }
        arguments.append("wanted_ats", areForLater ? drafts.map { $0.wantedAt?.timestamp } : nil)
        arguments.append("slot_items", areForLater ? drafts.map { $0.slotItems.map { Int32(clamping: $0) } } : nil)
        arguments.append("holds_from", drafts.contains { $0.holds.from != nil } ? drafts.map { $0.holds.from?.timestamp } : nil)
        arguments.append("holds_until", drafts.contains { $0.holds.until != nil } ? drafts.map { $0.holds.until?.timestamp } : nil)
        arguments.append("languages", drafts.contains { $0.language != .english } ? drafts.map { $0.language.text } : nil)
        totals.append(to: &arguments)
        arguments.append("firsts", firsts)
        arguments.append("lasts", lasts)
        lines.append(to: &arguments)
        uses.append(to: &arguments)
        StoredDemands(drafts).append(to: &arguments)
        return arguments
    }

    static let placeOrdersStatement = Statement(
        calling: "place_orders", arguments([], nil, on: nil), columns: "id, number, placed_at, day_number")
}

/// What an order gets when it is placed.
package struct Placing: Sendable, Hashable {
    package let id: OrderID
    /// Its eight digits.
    package let number: String
    /// The moment that it was decided for.
    package let at: Instant
    /// Its number of the day; nil where the server gives it later.
    package let dayNumber: Int?
}

/// The rows for coupon_uses, as columns: one for each key of the guest.
private struct StoredUses {
    var orders: [Int32] = []
    var coupons: [Int64] = []
    var guestKeys: [String] = []
    var periods: [Int32] = []
    var numbers: [Int32] = []

    mutating func append(_ use: CouponUse, order: Int) {
        for key in use.guestKeys {
            orders.append(Int32(order))
            coupons.append(use.subject.couponID)
            guestKeys.append(key)
            periods.append(Int32(use.period))
            numbers.append(Int32(use.number))
        }
    }

    func append(to arguments: inout Arguments) {
        let isEmpty = orders.isEmpty
        arguments.append("uses_order", isEmpty ? nil : orders)
        arguments.append("uses_coupon", isEmpty ? nil : coupons)
        arguments.append("uses_guest_key", isEmpty ? nil : guestKeys)
        arguments.append("uses_period", isEmpty ? nil : periods)
        arguments.append("uses_number", isEmpty ? nil : numbers)
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
