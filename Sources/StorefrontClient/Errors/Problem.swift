// A refusal of the server's (RFC 9457) as a value. Its body is Wire's, the one the server writes. Read next: ProblemCode.swift.
import Wire

/// Why the server refused.
public struct Problem: Hashable, Sendable {
    /// What programs go by.
    public let code: ProblemCode
    /// The whole of it.
    public let body: ProblemBody
    /// After what time it may be tried again.
    public let retryAfter: Duration?

    /// A problem as it came.
    public init(_ body: ProblemBody, retryAfter: Duration? = nil) {
        code = ProblemCode(rawValue: body.code)
        (self.body, self.retryAfter) = (body, retryAfter)
    }

    /// For guests: what happened and what to do.
    public var detail: String { body.detail }

    /// For those who write the program: what it has to do otherwise.
    public var hint: String? { body.hint }

    /// All that is wrong, in the form's order.
    public var errors: [FieldErrorBody] { body.errors ?? [] }

    /// What is wrong with this field: `phone`, `coupon`, `lines/3`, …
    public func error(of field: String) -> FieldErrorBody? { errors.first { $0.field == field } }

    /// The order that the basket became.
    public var orderId: String? { body.orderId }

    /// The lines of the item that the call may mean, by `severalLines`.
    public var lineIds: [Int64] { body.lineIds ?? [] }

    /// What changed since the guest saw the total.
    public var changes: [PriceChangeBody] { body.changes ?? [] }

    /// What it costs now.
    public var quote: QuoteBody? { body.quote }
}
