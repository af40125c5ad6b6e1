// A problem response (RFC 9457) as a value.
import Wire

/// The server rejected the request.
public struct APIProblem: Hashable, Sendable {
    /// The stable code by which programs decide.
    public let code: ProblemCode
    /// The complete body.
    public let body: ProblemBody
    /// The time after which the request may be retried.
    public let retryAfter: Duration?

    /// Creates a problem from a response.
    public init(_ body: ProblemBody, retryAfter: Duration? = nil) {
        code = ProblemCode(rawValue: body.code)
        (self.body, self.retryAfter) = (body, retryAfter)
    }

    /// A text for the guest: the cause and the next step.
    public var detail: String { body.detail }

    /// A hint for the developer of the client.
    public var hint: String? { body.hint }

    /// The field errors in the order of the form.
    public var errors: [FieldErrorBody] { body.errors ?? [] }

    /// Returns the error of a field: `phone`, `coupon`, `lines/3`, …
    public func fieldError(for field: String) -> FieldErrorBody? { errors.first { $0.field == field } }

    /// The order of the basket.
    public var orderId: String? { body.orderId }

    /// The candidate lines of a `severalLines` problem.
    public var lineIds: [Int64] { body.lineIds ?? [] }

    /// The differences from the total that the guest was shown.
    public var changes: [PriceChangeBody] { body.changes ?? [] }

    /// The current price.
    public var quote: QuoteBody? { body.quote }
}
