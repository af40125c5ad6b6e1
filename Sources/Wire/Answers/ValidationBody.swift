// The live form's answer: each field that was sent, judged alone, and the quote. Made by Web, read by StorefrontClient.
// Read next: ProblemBody.swift, the same errors as a refused checkout shows them.

/// How the form stands at this moment.
public struct ValidationBody: Hashable, Sendable, Decodable, JSONObject {
    /// The fields that were sent.
    public let fields: FieldsBody
    /// What is wrong beside the form's fields: the basket, its lines and sales.
    public let errors: [FieldErrorBody]
    /// Where there is a basket to price.
    public let quote: QuoteBody?
    /// Whether a checkout with this form would get past validation.
    public let isReady: Bool

    package init(fields: FieldsBody, errors: [FieldErrorBody], quote: QuoteBody? = nil, isReady: Bool) {
        (self.fields, self.errors, self.quote, self.isReady) = (fields, errors, quote, isReady)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("fields", fields)
        writer.field("errors", errors)
        writer.field("quote", quote)
        writer.field("isReady", isReady)
    }
}

/// The form's fields; those that were not sent are left out.
public struct FieldsBody: Hashable, Sendable, Decodable, JSONObject {
    /// Each judged by itself.
    public let name, phone, email, address, comment, birthday: FieldBody?
    /// How the guest wants it, when and where, judged with the shop's hours, its areas and the basket.
    public let fulfilment, wantedAt, postcode: FieldBody?
    /// The coupon, judged with the basket.
    public let coupon: FieldBody?
    /// The tip, judged with the basket.
    public let tip: FieldBody?
    /// The total the guest was shown.
    public let expectedTotal: FieldBody?
    /// What that total was shown in.
    public let currency: FieldBody?
    /// The list of totals that was shown; here only where it can't be one.
    public let expectedTotals: FieldBody?
    /// Here only where it is missing: the basket holds something that one has to be of an age for.
    public let ageConfirmed: FieldBody?
    /// How the order is paid.
    public let payment: FieldBody?

    package init(
        name: FieldBody? = nil, phone: FieldBody? = nil, email: FieldBody? = nil, address: FieldBody? = nil, comment: FieldBody? = nil,
        coupon: FieldBody? = nil, birthday: FieldBody? = nil, fulfilment: FieldBody? = nil, wantedAt: FieldBody? = nil,
        postcode: FieldBody? = nil, tip: FieldBody? = nil, expectedTotal: FieldBody? = nil, currency: FieldBody? = nil,
        expectedTotals: FieldBody? = nil, ageConfirmed: FieldBody? = nil, payment: FieldBody? = nil
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

/// A field's tidied value, or what is wrong with it.
public struct FieldBody: Hashable, Sendable, Decodable, JSONObject {
    /// The value as it would be stored.
    public let value: Scalar?
    /// The error's code.
    public let code: String?
    /// A sentence for the guest.
    public let message: String?
    /// The error's data, e.g. `limit`.
    public let params: [String: Scalar]?

    package init(value: Scalar? = nil, code: String? = nil, message: String? = nil, params: [String: Scalar]? = nil) {
        (self.value, self.code, self.message, self.params) = (value, code, message, params)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.fieldIfPresent("value", value)
        writer.fieldIfPresent("code", code)
        writer.fieldIfPresent("message", message)
        writer.fieldIfPresent("params", params)
    }
}
