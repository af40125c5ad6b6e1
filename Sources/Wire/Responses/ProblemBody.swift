// An error response: RFC 9457, `application/problem+json`.

/// An error. Programs decide by `code`; the optional members are present only for the codes that use them.
public struct ProblemBody: Hashable, Sendable, Decodable, JSONObject {
    /// A URI that identifies the kind of problem.
    public let type: String
    /// The kind of problem in a few words.
    public let title: String
    /// The HTTP status.
    public let status: Int
    /// The stable code, such as `validation_failed`.
    public let code: String
    /// One or two sentences for the guest: the cause and the next step.
    public let detail: String
    /// The request id, which is also in the server's log.
    public let requestId: String
    /// The field errors in the order of the form.
    public let errors: [FieldErrorBody]?
    /// The order of this basket.
    public let orderId: String?
    /// The candidate lines, if the item has several.
    public let lineIds: [Int64]?
    /// The differences from the total that the guest was shown.
    public let changes: [PriceChangeBody]?
    /// The current price.
    public let quote: QuoteBody?
    /// A hint for the developer of the client.
    public let hint: String?

    package init(
        type: String, title: String, status: Int, code: String, detail: String, requestId: String,
        errors: [FieldErrorBody]? = nil,
        orderId: String? = nil, lineIds: [Int64]? = nil, changes: [PriceChangeBody]? = nil, quote: QuoteBody? = nil,
        hint: String? = nil
    ) {
        (self.type, self.title, self.status, self.code) = (type, title, status, code)
        (self.detail, self.requestId, self.errors, self.orderId) = (detail, requestId, errors, orderId)
        (self.lineIds, self.changes, self.quote, self.hint) = (lineIds, changes, quote, hint)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("type", type)
        writer.field("title", title)
        writer.field("status", status)
        writer.field("code", code)
        writer.field("detail", detail)
        writer.field("requestId", requestId)
        writer.fieldIfPresent("errors", errors)
        writer.fieldIfPresent("orderId", orderId)
        writer.fieldIfPresent("lineIds", lineIds)
        writer.fieldIfPresent("changes", changes)
        writer.fieldIfPresent("quote", quote)
        writer.fieldIfPresent("hint", hint)
    }
}

/// A rejected field.
public struct FieldErrorBody: Hashable, Sendable, Decodable, JSONObject {
    /// The path: `phone`, `basket`, `lines/3`, `sales/400/items/1003`, …
    public let field: String
    /// The code, such as `invalid_phone`.
    public let code: String
    /// A sentence for the guest: what is wrong, and which value is accepted.
    public let message: String
    /// The parameters, such as `limit`, `missingAmount`, `opensAt` and `alternatives`.
    public let params: [String: FieldValue]

    package init(field: String, code: String, message: String, params: [String: FieldValue]) {
        (self.field, self.code, self.message, self.params) = (field, code, message, params)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("field", field)
        writer.field("code", code)
        writer.field("message", message)
        writer.field("params", params)
    }
}

/// One difference from the total that the guest was shown.
public struct PriceChangeBody: Hashable, Sendable, Decodable, JSONObject {
    /// The path: `lines/3`, `sales/400/items/1003`, `totals/tip`, `expectedTotal` or `currency`.
    public let path: String
    /// The value that the guest was shown: minor units, or an ISO 4217 code for `currency`.
    public let old: FieldValue
    /// The current value, of the same type.
    public let new: FieldValue
    /// The cause: `menu_price`, a charge as in `TotalBody.kind`, `total` for any other total line, or `currency`.
    public let cause: String

    package init(path: String, old: FieldValue, new: FieldValue, cause: String) {
        (self.path, self.old, self.new, self.cause) = (path, old, new, cause)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("path", path)
        writer.field("old", old)
        writer.field("new", new)
        writer.field("cause", cause)
    }
}
