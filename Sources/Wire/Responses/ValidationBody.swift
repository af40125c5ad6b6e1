// The validation of a checkout form while the guest fills it in: one result for each field, and the quote.

/// The validation of the form at this moment.
public struct ValidationBody: Hashable, Sendable, Decodable, JSONObject {
    /// The results of the fields that were sent.
    public let fields: FieldResultsBody
    /// The errors outside of the form's fields: in the basket, its lines and its sets.
    public let errors: [FieldErrorBody]
    /// The price, if there is a basket.
    public let quote: QuoteBody?
    /// Whether a checkout with this form would pass validation.
    public let isReady: Bool

    package init(fields: FieldResultsBody, errors: [FieldErrorBody], quote: QuoteBody? = nil, isReady: Bool) {
        (self.fields, self.errors, self.quote, self.isReady) = (fields, errors, quote, isReady)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("fields", fields)
        writer.field("errors", errors)
        writer.field("quote", quote)
        writer.field("isReady", isReady)
    }
}

/// The results by field. Fields that were not sent are left out.
public struct FieldResultsBody: Hashable, Sendable, Decodable, JSONObject {
    /// Fields that are validated on their own.
    public let name, phone, email, address, comment, birthday: FieldResultBody?
    /// The fulfilment fields, validated with the opening hours, the delivery areas and the basket.
    public let fulfilment, wantedAt, postcode: FieldResultBody?
    /// The coupon, validated with the basket.
    public let coupon: FieldResultBody?
    /// The tip, validated with the basket.
    public let tip: FieldResultBody?
    /// The total that the guest was shown.
    public let expectedTotal: FieldResultBody?
    /// The currency of that total.
    public let currency: FieldResultBody?
    /// The total lines that the guest was shown; present only if they are invalid.
    public let expectedTotals: FieldResultBody?
    /// Present only if the confirmation is missing and the basket has an age-restricted item.
    public let ageConfirmed: FieldResultBody?
    /// The payment.
    public let payment: FieldResultBody?

    package init(
        name: FieldResultBody? = nil, phone: FieldResultBody? = nil, email: FieldResultBody? = nil,
        address: FieldResultBody? = nil, comment: FieldResultBody? = nil,
        coupon: FieldResultBody? = nil, birthday: FieldResultBody? = nil, fulfilment: FieldResultBody? = nil,
        wantedAt: FieldResultBody? = nil,
        postcode: FieldResultBody? = nil, tip: FieldResultBody? = nil, expectedTotal: FieldResultBody? = nil,
        currency: FieldResultBody? = nil,
        expectedTotals: FieldResultBody? = nil, ageConfirmed: FieldResultBody? = nil, payment: FieldResultBody? = nil
    ) {
        (self.name, self.phone, self.email, self.address, self.comment) = (name, phone, email, address, comment)
        (self.coupon, self.birthday, self.tip) = (coupon, birthday, tip)
        (self.fulfilment, self.wantedAt, self.postcode) = (fulfilment, wantedAt, postcode)
        (self.expectedTotal, self.currency, self.expectedTotals) = (expectedTotal, currency, expectedTotals)
        (self.ageConfirmed, self.payment) = (ageConfirmed, payment)
    }

    package func writeFields(to writer: inout JSONWriter) {
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
        writer.fieldIfPresent("expectedTotal", expectedTotal)
        writer.fieldIfPresent("currency", currency)
        writer.fieldIfPresent("expectedTotals", expectedTotals)
        writer.fieldIfPresent("ageConfirmed", ageConfirmed)
        writer.fieldIfPresent("payment", payment)
    }
}

/// A field's normalised value, or its error.
public struct FieldResultBody: Hashable, Sendable, Decodable, JSONObject {
    /// The value that would be stored.
    public let value: FieldValue?
    /// The code of the error.
    public let code: String?
    /// A sentence for the guest.
    public let message: String?
    /// The parameters of the error, such as `limit`.
    public let params: [String: FieldValue]?

    package init(
        value: FieldValue? = nil, code: String? = nil, message: String? = nil, params: [String: FieldValue]? = nil
    ) {
        (self.value, self.code, self.message, self.params) = (value, code, message, params)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.fieldIfPresent("value", value)
        writer.fieldIfPresent("code", code)
        writer.fieldIfPresent("message", message)
        writer.fieldIfPresent("params", params)
    }
}
