// The live form's answer: each field that was sent, judged alone, and the quote. Made by Web, read by StorefrontClient.
// Read next: ProblemBody.swift, the same errors as a refused checkout shows them.

/// How the form stands at this moment.
public struct ValidationBody: Hashable, Sendable, Decodable, JSONWritable {
    /// The fields that were sent.
    public let fields: FieldsBody
    /// What is wrong beside the form's fields: the basket, its lines and sales.
    public let errors: [FieldErrorBody]
    /// Where there is a basket to price.
    public let quote: QuoteBody?
    /// Whether a checkout with this form would get past validation.
    public let isReady: Bool

    package init(
        fields: FieldsBody,
        errors: [FieldErrorBody],
        quote: QuoteBody? = nil,
        isReady: Bool
    ) {
        self.fields = fields
        self.errors = errors
        self.quote = quote
        self.isReady = isReady
    }

    package func write(to writer: inout JSONWriter) {
        writer.object {
            $0.field("fields", fields)
            $0.field("errors", errors)
            $0.field("quote", quote)
            $0.field("isReady", isReady)
        }
    }
}

/// The form's fields; those that were not sent are left out.
public struct FieldsBody: Hashable, Sendable, Decodable, JSONWritable {
    /// The guest's name.
    public let name: FieldBody?
    /// The phone.
    public let phone: FieldBody?
    /// The email.
    public let email: FieldBody?
    /// The address.
    public let address: FieldBody?
    /// The comment.
    public let comment: FieldBody?
    /// The coupon, judged with the basket.
    public let coupon: FieldBody?
    /// The birthday.
    public let birthday: FieldBody?
    /// The tip, judged with the basket.
    public let tip: FieldBody?
    /// The total the guest was shown.
    public let expectedTotal: FieldBody?
    /// What that total was shown in.
    public let currency: FieldBody?
    /// The list of totals that was shown; here only where it can't be one.
    public let expectedTotals: FieldBody?

    package init(
        name: FieldBody? = nil,
        phone: FieldBody? = nil,
        email: FieldBody? = nil,
        address: FieldBody? = nil,
        comment: FieldBody? = nil,
        coupon: FieldBody? = nil,
        birthday: FieldBody? = nil,
        tip: FieldBody? = nil,
        expectedTotal: FieldBody? = nil,
        currency: FieldBody? = nil,
        expectedTotals: FieldBody? = nil
    ) {
        self.name = name
        self.phone = phone
        self.email = email
        self.address = address
        self.comment = comment
        self.coupon = coupon
        self.birthday = birthday
        self.tip = tip
        self.expectedTotal = expectedTotal
        self.currency = currency
        self.expectedTotals = expectedTotals
    }

    package func write(to writer: inout JSONWriter) {
        writer.object {
            $0.fieldIfPresent("name", name)
            $0.fieldIfPresent("phone", phone)
            $0.fieldIfPresent("email", email)
            $0.fieldIfPresent("address", address)
            $0.fieldIfPresent("comment", comment)
            $0.fieldIfPresent("coupon", coupon)
            $0.fieldIfPresent("birthday", birthday)
            $0.fieldIfPresent("tip", tip)
            $0.fieldIfPresent("expectedTotal", expectedTotal)
            $0.fieldIfPresent("currency", currency)
            $0.fieldIfPresent("expectedTotals", expectedTotals)
        }
    }
}

/// A field's tidied value, or what is wrong with it.
public struct FieldBody: Hashable, Sendable, Decodable, JSONWritable {
    /// The value as it would be stored.
    public let value: Scalar?
    /// The error's code.
    public let code: String?
    /// A sentence for the guest.
    public let message: String?
    /// The error's data, e.g. `limit`.
    public let params: [String: Scalar]?

    package init(
        value: Scalar? = nil,
        code: String? = nil,
        message: String? = nil,
        params: [String: Scalar]? = nil
    ) {
        self.value = value
        self.code = code
        self.message = message
        self.params = params
    }

    package func write(to writer: inout JSONWriter) {
        writer.object {
            $0.fieldIfPresent("value", value)
            $0.fieldIfPresent("code", code)
            $0.fieldIfPresent("message", message)
            $0.fieldIfPresent("params", params)
        }
    }
}
