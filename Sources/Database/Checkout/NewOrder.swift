// Maps an accepted order to new_order and its coupon uses to coupon_use (sql/006_place_orders.sql).
import FoundationEssentials
import Ordering
import Postgres

/// An order to place.
struct NewOrder: PostgresComposite, Equatable {
    static let compositeName = "new_order"

    var id = UUID.zero
    var basketVersion: Int64 = 0
    var validFrom: Timestamp?
    var validUntil: Timestamp?
    var wantedAt: Timestamp?
    var numberOrigin: Timestamp?
    var couponID: Int64?
    var couponVersion: Int64?
    var subtotal: Int64 = 0
    var discount: Int64 = 0
    var total: Int64 = 0
    var slotItems: Int32?
    var etaMinutes: Int16?
    var minimumAge: Int16?
    var fulfilment = ""
    /// Nil: `place_orders` draws the number.
    var number: String?
    var idempotencyKey = ""
    var fingerprint: [UInt8] = []
    var name = ""
    var phone = ""
    var email = ""
    var address: String?
    var postcode: String?
    var comment: String?
    var couponKey: String?
    /// Nil: English.
    var language: String?
    var subtotalTitle: String?
    var totalTitle: String?
    var lines: [StoredOrderLine] = []
    var options: [StoredOption]?
    var totals: [StoredTotal]?
    var couponUses: [StoredUse]?
    var stockDemands: [StockDemandRecord]?

    mutating func code(with record: inout RecordCoder) throws(CodingError) {
        try record.field("id", &id)
        try record.field("basket_version", &basketVersion)
        try record.field("valid_from", &validFrom)
        try record.field("valid_until", &validUntil)
        try record.field("wanted_at", &wantedAt)
        try record.field("number_origin", &numberOrigin)
        try record.field("coupon_id", &couponID)
        try record.field("coupon_version", &couponVersion)
        try record.field("subtotal", &subtotal)
        try record.field("discount", &discount)
        try record.field("total", &total)
        try record.field("slot_items", &slotItems)
        try record.field("eta_minutes", &etaMinutes)
        try record.field("minimum_age", &minimumAge)
        try record.field("fulfilment", &fulfilment)
        try record.field("number", &number)
        try record.field("idempotency_key", &idempotencyKey)
        try record.field("fingerprint", &fingerprint)
        try record.field("name", &name)
        try record.field("phone", &phone)
        try record.field("email", &email)
        try record.field("address", &address)
        try record.field("postcode", &postcode)
        try record.field("comment", &comment)
        try record.field("coupon_key", &couponKey)
        try record.field("language", &language)
        try record.field("subtotal_title", &subtotalTitle)
        try record.field("total_title", &totalTitle)
        try record.field("lines", &lines)
        try record.field("options", &options)
        try record.field("totals", &totals)
        try record.field("coupon_uses", &couponUses)
        try record.field("stock_demands", &stockDemands)
    }
}

extension NewOrder {
    /// - Parameter number: Drawn in advance; nil: `place_orders` draws the number.
    init(_ draft: OrderDraft, _ number: DrawnOrderNumber? = nil) {
        id = draft.id.uuid
        basketVersion = draft.basketVersion
        validFrom = draft.validity.from?.timestamp
        validUntil = draft.validity.until?.timestamp
        wantedAt = draft.wantedAt?.timestamp
        numberOrigin = number?.origin
        couponID = draft.coupon?.id.rawValue
        couponVersion = draft.coupon?.version
        subtotal = draft.subtotal.minorUnits
        discount = draft.discount.minorUnits
        total = draft.total.minorUnits
        slotItems = draft.slot.map { Int32(clamping: $0.use.items) }
        etaMinutes = draft.etaMinutes.map { Int16(clamping: $0) }
        minimumAge = draft.minimumAge.map { Int16(clamping: $0) }
        fulfilment = draft.fulfilment.rawValue
        self.number = number?.number
        idempotencyKey = draft.key.text
        fingerprint = draft.fingerprint
        name = draft.details.name.text
        phone = draft.details.phone.e164
        email = draft.details.email.text
        address = draft.details.address?.text
        postcode = draft.details.postcode?.text
        comment = draft.details.comment?.text
        couponKey = draft.coupon?.key.text
        language = draft.language == .english ? nil : draft.language.text
        subtotalTitle = draft.totals.all.first?.storedTitle(in: draft.language)
        totalTitle = draft.totals.all.last?.storedTitle(in: draft.language)
        let columns = StoredOrderLine.columns(lines: draft.lines, sets: draft.sets)
        lines = columns.lines
        options = columns.options.nilIfEmpty
        totals = [StoredTotal](draft.totals).nilIfEmpty
        couponUses = draft.coupon?.redemption.flatMap { [StoredUse]($0).nilIfEmpty }
        stockDemands = [StockDemandRecord](draft.stock).nilIfEmpty
    }
}

/// A row of coupon_uses.
struct StoredUse: PostgresComposite, Equatable {
    static let compositeName = "coupon_use"

    var couponID: Int64 = 0
    var guestKey = ""
    var period: Int32 = 0
    var number: Int16 = 0

    mutating func code(with record: inout RecordCoder) throws(CodingError) {
        try record.field("coupon_id", &couponID)
        try record.field("guest_key", &guestKey)
        try record.field("period", &period)
        try record.field("use_number", &number)
    }
}

extension [StoredUse] {
    /// A row for each guest key.
    fileprivate init(_ use: CouponRedemption) {
        self = use.guestKeys.map {
            StoredUse(
                couponID: use.subject.couponID, guestKey: $0, period: Int32(clamping: use.period),
                number: Int16(clamping: use.number))
        }
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
