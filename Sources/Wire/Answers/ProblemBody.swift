// An error on the wire: RFC 9457, `application/problem+json`. Made by Web alone, in one place; read by StorefrontClient.
// Read next: Sources/Web/Problems/Problem.swift.

/// What went wrong. `code` is what programs go by; the members at the end stand only where they mean something.
public struct ProblemBody: Hashable, Sendable, Decodable, JSONWritable {
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

    package func write(to writer: inout JSONWriter) {
        writer.object {
            $0.field("type", type)
            $0.field("title", title)
            $0.field("status", status)
            $0.field("code", code)
            $0.field("detail", detail)
            $0.field("requestId", requestId)
            $0.fieldIfPresent("errors", errors)
            $0.fieldIfPresent("orderId", orderId)
            $0.fieldIfPresent("lineIds", lineIds)
            $0.fieldIfPresent("changes", changes)
            $0.fieldIfPresent("quote", quote)
            $0.fieldIfPresent("hint", hint)
        }
    }
}

/// One thing that is wrong, and where.
public struct FieldErrorBody: Hashable, Sendable, Decodable, JSONWritable {
    /// `phone`, `basket`, `lines/3`, `sales/400/items/1003`, …
    public let field: String
    /// E.g. `invalid_phone`.
    public let code: String
    /// What is wrong and what would be right, for the guest.
    public let message: String
    /// Its data, e.g. `limit`, `missingAmount`, `startsAt`.
    public let params: [String: Scalar]

    package init(field: String, code: String, message: String, params: [String: Scalar]) {
        (self.field, self.code, self.message, self.params) = (field, code, message, params)
    }

    package func write(to writer: inout JSONWriter) {
        writer.object {
            $0.field("field", field)
            $0.field("code", code)
            $0.field("message", message)
            $0.field("params", params)
        }
    }
}

/// One reason why the total is another one.
public struct PriceChangeBody: Hashable, Sendable, Decodable, JSONWritable {
    /// `lines/3`, `sales/400/items/1003`, `expectedTotal` or `currency`.
    public let path: String
    /// What the guest saw: minor units, or at `currency` a code of ISO 4217.
    public let old: Scalar
    /// What it is now, of the same kind.
    public let new: Scalar
    /// Why: `menu_price`, `total` or `currency`.
    public let cause: String

    package init(path: String, old: Scalar, new: Scalar, cause: String) {
        (self.path, self.old, self.new, self.cause) = (path, old, new, cause)
    }

    package func write(to writer: inout JSONWriter) {
        writer.object {
            $0.field("path", path)
            $0.field("old", old)
            $0.field("new", new)
            $0.field("cause", cause)
        }
    }
}
