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

/// The results by field. Fields that were not sent are left out, except for a missing confirmation of the age.
/// `expectedTotals` is present only if it is invalid.
public struct FieldResultsBody: Hashable, Sendable, Decodable, JSONObject {
    private let results: [CheckoutField: FieldResultBody]

    package init(_ results: [CheckoutField: FieldResultBody]) { self.results = results }

    /// Decodes the fields that this version knows.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CheckoutField.self)
        var results: [CheckoutField: FieldResultBody] = [:]
        for field in CheckoutField.allCases {
            results[field] = try container.decodeIfPresent(FieldResultBody.self, forKey: field)
        }
        self.results = results
    }

    /// The result of a field; nil if it was left out.
    public subscript(field: CheckoutField) -> FieldResultBody? { results[field] }

    package func writeFields(to writer: inout JSONWriter) {
        for field in CheckoutField.allCases {
            if let result = results[field] { writer.field(named: field.rawValue, result) }
        }
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
