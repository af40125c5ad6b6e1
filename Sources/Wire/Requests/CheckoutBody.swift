// The checkout form as it was sent, the body of both checkout routes. The server parses 10,000 of them a second.

/// The fields of a checkout by their JSON names, from top to bottom. Validation returns its results by these names.
public enum CheckoutField: String, CodingKey, CaseIterable, Sendable {
    case basketId, name, phone, email, address, comment, coupon, birthday, fulfilment, wantedAt, postcode, tip, payment,
        ageConfirmed
    case expectedTotal, currency, expectedTotals
}

/// The value of a field as it was sent.
package enum CheckoutValue: JSONWritable {
    case text(String)
    case integer(Int64)
    case boolean(Bool)
    case payment(SelectedPaymentBody)
    case totals([TotalBody])

    package func write(to writer: inout JSONWriter) {
        switch self {
        case .text(let text): text.write(to: &writer)
        case .integer(let number): number.write(to: &writer)
        case .boolean(let flag): flag.write(to: &writer)
        case .payment(let payment): payment.write(to: &writer)
        case .totals(let totals): totals.write(to: &writer)
        }
    }
}

/// `POST /v1/checkout` and `POST /v1/checkout/validate`. A missing or null field is nil.
/// Codable, so that a storefront can store an attempt that is in progress.
public struct CheckoutBody: Hashable, Sendable, Codable, JSONReadable, JSONObject {
    /// The basket to order.
    public var basketId: String?
    /// The guest's details as typed.
    public var name, phone, email, address: String?
    /// A comment for the kitchen or the courier.
    public var comment: String?
    /// The coupon's key as typed.
    public var coupon: String?
    /// `MM-DD`, for birthday coupons.
    public var birthday: String?
    /// `delivery` or `pickup`; nil: delivery.
    public var fulfilment: String?
    /// The start of a slot that the shop offers, RFC 3339; nil: as soon as possible.
    public var wantedAt: String?
    /// The postcode of the delivery, required only if the shop delivers to certain areas.
    public var postcode: String?
    /// The tip in minor units, at most `QuoteBody.tipMaximum`; nil: no tip.
    public var tip: Int64?
    /// The payment; nil: cash.
    public var payment: SelectedPaymentBody?
    /// Whether the guest confirms the basket's `minimumAge`; nil: no.
    public var ageConfirmed: Bool?
    /// The total that the guest was shown, minor units.
    public var expectedTotal: Int64?
    /// The currency of that total, such as `USD`; nil: the currency of the basket's last change.
    public var currency: String?
    /// The total lines that the guest was shown, compared by kind and code; nil: only the total is compared.
    public var expectedTotals: [TotalBody]?

    /// The maximum number of total lines, more than the server ever returns.
    private static let totalsLimit = 100
    private static let fields = FieldTable<CheckoutField>()

    /// Creates a form with only the basket filled in.
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

    /// The value of a field; nil if it was not sent.
    package func value(of field: CheckoutField) -> CheckoutValue? {
        switch field {
        case .basketId: basketId.map(CheckoutValue.text)
        case .name: name.map(CheckoutValue.text)
        case .phone: phone.map(CheckoutValue.text)
        case .email: email.map(CheckoutValue.text)
        case .address: address.map(CheckoutValue.text)
        case .comment: comment.map(CheckoutValue.text)
        case .coupon: coupon.map(CheckoutValue.text)
        case .birthday: birthday.map(CheckoutValue.text)
        case .fulfilment: fulfilment.map(CheckoutValue.text)
        case .wantedAt: wantedAt.map(CheckoutValue.text)
        case .postcode: postcode.map(CheckoutValue.text)
        case .tip: tip.map(CheckoutValue.integer)
        case .payment: payment.map(CheckoutValue.payment)
        case .ageConfirmed: ageConfirmed.map(CheckoutValue.boolean)
        case .expectedTotal: expectedTotal.map(CheckoutValue.integer)
        case .currency: currency.map(CheckoutValue.text)
        case .expectedTotals: expectedTotals.map(CheckoutValue.totals)
        }
    }

    package func writeFields(to writer: inout JSONWriter) {
        for field in CheckoutField.allCases {
            if let value = value(of: field) { writer.field(named: field.rawValue, value) }
        }
    }
}
