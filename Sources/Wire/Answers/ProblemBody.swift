// An error on the wire: RFC 9457, `application/problem+json`. Made by Web alone, in one place; read by StorefrontClient.
// Read next: Sources/Web/Problems/Problem.swift.

/// What went wrong. `code` is what programs go by; the members at the end stand only where they mean something.
public struct ProblemBody: Hashable, Sendable, Decodable, JSONObject {
    /// A URI that names the kind of problem.
    public let type: String
    /// The kind of problem for people.
    public let title: String
    /// The HTTP status.
    public let status: Int
    /// The stable name, e.g. `validation_failed`.
    public let code: String
    /// What happened this time and what to do, a sentence or two that a guest can be shown.
    public let detail: String
    /// The request's id, also in the server's log.
    public let requestId: String
    /// All that is wrong, in the form's order.
    public let errors: [FieldErrorBody]?
    /// The order this basket became.
    public let orderId: String?
    /// The lines of the item that the request may mean.
    public let lineIds: [Int64]?
    /// What changed since the guest saw the total.
    public let changes: [PriceChangeBody]?
    /// What it costs now.
    public let quote: QuoteBody?
    /// What a program has to do otherwise, for those who write it.
    public let hint: String?

    package init(
        type: String, title: String, status: Int, code: String, detail: String, requestId: String, errors: [FieldErrorBody]? = nil,
        orderId: String? = nil, lineIds: [Int64]? = nil, changes: [PriceChangeBody]? = nil, quote: QuoteBody? = nil, hint: String? = nil
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

/// One thing that is wrong, and where.
public struct FieldErrorBody: Hashable, Sendable, Decodable, JSONObject {
    /// `phone`, `basket`, `lines/3`, `sales/400/items/1003`, …
    public let field: String
    /// E.g. `invalid_phone`.
    public let code: String
    /// What is wrong and what would be right, for the guest.
    public let message: String
    /// Its data, e.g. `limit`, `missingAmount`, `opensAt`, `alternatives`.
    public let params: [String: Scalar]

    package init(field: String, code: String, message: String, params: [String: Scalar]) {
        (self.field, self.code, self.message, self.params) = (field, code, message, params)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("field", field)
        writer.field("code", code)
        writer.field("message", message)
        writer.field("params", params)
    }
}

/// One reason why the total is another one.
public struct PriceChangeBody: Hashable, Sendable, Decodable, JSONObject {
    /// `lines/3`, `sales/400/items/1003`, `totals/tip`, `expectedTotal` or `currency`.
    public let path: String
    /// What the guest saw: minor units, or at `currency` a code of ISO 4217.
    public let old: Scalar
    /// What it is now, of the same kind.
    public let new: Scalar
    /// Why: `menu_price`, what the shop charges as in `TotalBody.kind`, `total` for all else of the list, or `currency`.
    public let cause: String

    package init(path: String, old: Scalar, new: Scalar, cause: String) {
        (self.path, self.old, self.new, self.cause) = (path, old, new, cause)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("path", path)
        writer.field("old", old)
        writer.field("new", new)
        writer.field("cause", cause)
    }
}
