// Places the accepted orders of a batch in one call of place_orders (sql/006_place_orders.sql), one durable
// transaction.
import FoundationEssentials
import Ordering
import Postgres

extension ShopDatabase {
    /// Returns the placed orders. An order that is missing conflicted with a change since its facts were read, and was
    /// undone completely.
    /// - Parameters:
    ///   - revision: The menu revision of the prices. If the current one differs, nothing is placed. Nil: not checked.
    ///   - isValid: Whether the precondition still holds; evaluated on a connection's thread. False fails with a
    ///     conflict.
    package func placeOrders(
        _ drafts: [OrderDraft], ifMenuRevisionIs revision: Int64? = nil, ifStill isValid: (@Sendable () -> Bool)? = nil
    ) async throws(DatabaseFault) -> [OrderID: Placement] {
        guard let any = drafts.first else { return [:] }
        return try await placeOrders(drafts, ifMenuRevisionIs: revision, ifStill: isValid, on: any.id)
    }

    /// The same, executed on the shard of order `any`. Without `drafts` it tests whether orders can be placed.
    func placeOrders(
        _ drafts: [OrderDraft], ifMenuRevisionIs revision: Int64? = nil, ifStill isValid: (@Sendable () -> Bool)? = nil,
        on any: OrderID
    ) async throws(DatabaseFault) -> [OrderID: Placement] {
        // Sorted by id, so that two batches lock rows in the same order.
        let arguments = Self.arguments(drafts.sorted { $0.id < $1.id }, revision, on: any)
        let placed = try await query(Self.placeOrdersStatement, arguments.parameters, .writes, ifStill: isValid) {
            row throws(PostgresError) in
            Placement(
                id: OrderID(try row.next(UUID.self)), number: try row.next(),
                placedAt: Instant(try row.next(Timestamp.self)),
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
            if let use = draft.coupon?.redemption { uses.append(use, order: index + 1) }
        }
        // Uses closures: key paths are resolved at run time and took 50 % longer.
        var arguments = Arguments()
        arguments.append("any_basket", any?.uuid)
        // All orders were priced with one menu at one moment.
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
        // A column without any value is null and costs nothing.
        let haveCoupons = drafts.contains { $0.coupon != nil }
        arguments.append("coupon_keys", haveCoupons ? drafts.map { $0.coupon?.key.text } : nil)
        arguments.append("coupon_ids", haveCoupons ? drafts.map { $0.coupon?.id.rawValue } : nil)
        arguments.append("coupon_versions", haveCoupons ? drafts.map { $0.coupon?.version } : nil)
        arguments.append("discounts", haveCoupons ? drafts.map { $0.discount.minorUnits } : nil)
        arguments.append(
            "comments", drafts.contains { $0.details.comment != nil } ? drafts.map { $0.details.comment?.text } : nil)
        arguments.append(
            "minimum_ages",
            drafts.contains { $0.minimumAge != nil } ? drafts.map { $0.minimumAge.map(Int32.init) } : nil)
        arguments.append(
            "fulfilments", drafts.contains { $0.fulfilment != .delivery } ? drafts.map { $0.fulfilment.rawValue } : nil)
        arguments.append(
            "postcodes", drafts.contains { $0.details.postcode != nil } ? drafts.map { $0.details.postcode?.text } : nil
        )
        let areForLater = drafts.contains { $0.wantedAt != nil }
        arguments.append("wanted_ats", areForLater ? drafts.map { $0.wantedAt?.timestamp } : nil)
        arguments.append("slot_items", areForLater ? drafts.map { $0.slotItems.map { Int32(clamping: $0) } } : nil)
        arguments.append(
            "holds_from", drafts.contains { $0.validity.from != nil } ? drafts.map { $0.validity.from?.timestamp } : nil
        )
        arguments.append(
            "holds_until",
            drafts.contains { $0.validity.until != nil } ? drafts.map { $0.validity.until?.timestamp } : nil)
        arguments.append(
            "languages", drafts.contains { $0.language != .english } ? drafts.map { $0.language.text } : nil)
        totals.append(to: &arguments)
        arguments.append("firsts", firsts)
        arguments.append("lasts", lasts)
        lines.append(to: &arguments)
        uses.append(to: &arguments)
        StockDemandColumns(drafts).append(to: &arguments)
        return arguments
    }

    static let placeOrdersStatement = Statement(
        calling: "place_orders", arguments([], nil, on: nil), columns: "id, number, placed_at, day_number")
}

/// The numbers that an order gets when it is placed.
package struct Placement: Sendable, Hashable {
    package let id: OrderID
    /// The order number, eight digits.
    package let number: String
    /// The moment of the decision.
    package let placedAt: Instant
    /// The day number; nil if the server assigns it later.
    package let dayNumber: Int?
}

/// Rows for coupon_uses as columns: one row per guest key.
private struct StoredUses {
    var orders: [Int32] = []
    var coupons: [Int64] = []
    var guestKeys: [String] = []
    var periods: [Int32] = []
    var numbers: [Int32] = []

    mutating func append(_ use: CouponRedemption, order: Int) {
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

extension CouponRedemption.Subject {
    /// Coupon 0 stands for first orders in coupon_uses.
    fileprivate var couponID: Int64 {
        switch self {
        case .coupon(let id): id.rawValue
        case .firstOrder: 0
        }
    }
}
