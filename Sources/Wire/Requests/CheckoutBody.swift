// The checkout form as it came: the body of both checkout routes, and the one that is read ten thousand times a second.
// Read strictly by Web, written by StorefrontClient; judged field by field in Ordering. Read next: JSON/JSONReader.swift.

/// `POST /v1/checkout` and `POST /v1/checkout/validate`. A missing or null field is nil.
/// Codable, so that a storefront can keep an attempt that is under way.
public struct CheckoutBody: Hashable, Sendable, Codable, JSONReadable, JSONObject {
    /// The basket to order.
    public var basketId: String?
    /// The guest's, as typed.
    public var name, phone, email, address: String?
    /// A word for the kitchen or the courier.
    public var comment: String?
    /// A coupon's key as typed.
    public var coupon: String?
    /// `MM-DD`, for birthday coupons.
    public var birthday: String?
    /// `delivery` or `pickup`; left out: delivery.
    public var fulfilment: String?
    /// The start of a slot that the shop offers, RFC 3339; left out: as soon as possible.
    public var wantedAt: String?
    /// Where it is delivered; needed only where the shop delivers to some areas.
    public var postcode: String?
    /// Minor units, at most what the shop takes; left out: none.
    public var tip: Int64?
    /// How the order is paid; left out: in cash.
    public var payment: ChosenPaymentBody?
    /// Whether the guest says to be as old as the basket's `minimumAge`; left out: no.
    public var ageConfirmed: Bool?
    /// The total the guest was shown, minor units.
    public var expectedTotal: Int64?
    /// What that total was shown in, such as `USD`; left out: the currency that the basket recorded when it last changed.
    public var currency: String?
    /// The list of totals the guest was shown, compared by kind and code; left out: only their sum is compared.
    public var expectedTotals: [TotalBody]?

    private enum Field: String, CaseIterable {
        case basketId, name, phone, email, address, comment, coupon, birthday, fulfilment, wantedAt, postcode, tip,
            payment
        case ageConfirmed, expectedTotal, currency, expectedTotals
    }
    /// No list of ours is as long.
    private static let totalsLimit = 100
    private static let fields = FieldTable<Field>()

    /// A form with nothing filled in but the basket.
    public init(basketId: String? = nil) { self.basketId = basketId }

    package init(from reader: inout JSONReader) throws(MalformedBody) {
        var form = CheckoutBody()
        try reader.object(Self.fields) { reader, field throws(MalformedBody) in
            switch field {
            case .basketId: form.basketId = try reader.stringOrNull()
            case .name: form.name = try reader.stringOrNull()
            case .phone: form.phone = try reader.stringOrNull()
            case .email: form.email = try reader.stringOrNull()
            case .address: form.address = try reader.stringOrNull()
            case .comment: form.comment = try reader.stringOrNull()
            case .coupon: form.coupon = try reader.stringOrNull()
            case .birthday: form.birthday = try reader.stringOrNull()
            case .fulfilment: form.fulfilment = try reader.stringOrNull()
            case .wantedAt: form.wantedAt = try reader.stringOrNull()
            case .postcode: form.postcode = try reader.stringOrNull()
            case .tip: form.tip = try reader.integerOrNull()
            case .payment: form.payment = try reader.objectOrNull()
            case .ageConfirmed: form.ageConfirmed = try reader.booleanOrNull()
            case .expectedTotal: form.expectedTotal = try reader.integerOrNull()
            case .currency: form.currency = try reader.stringOrNull()
            case .expectedTotals: form.expectedTotals = try reader.listOrNull(limit: Self.totalsLimit)
            }
        }
        self = form
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.fieldIfPresent("basketId", basketId)
        writer.fieldIfPresent("name", name)
        writer.fieldIfPresent("phone", phone)
        writer.fieldIfPresent("email", email)
        writer.fieldIfPresent("address", address)
        writer.fieldIfPresent("comment", comment)
        writer.fieldIfPresent("coupon", coupon)
        writer.fieldIfPresent("birthday", birthday)
        writer.fieldIfPresent("fulfilment", fulfilment)
        writer.fieldIfPresent("wantedAt", wantedAt)
        writer.fieldIfPresent("postcode", postcode)
        writer.fieldIfPresent("tip", tip)
        writer.fieldIfPresent("payment", payment)
        writer.fieldIfPresent("ageConfirmed", ageConfirmed)
        writer.fieldIfPresent("expectedTotal", expectedTotal)
        writer.fieldIfPresent("currency", currency)
        writer.fieldIfPresent("expectedTotals", expectedTotals)
    }
}
