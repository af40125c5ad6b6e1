// Why an order was not placed, read or cancelled, as HTTP. Thrown by CheckoutRoutes and OrderRoutes.
// Read next: Sources/Ordering/Checkout/CheckoutDecision.swift.

import HTTPTypes
import Ordering
import Wire

extension Problem {
    /// Why this basket was not ordered.
    init(_ rejection: CheckoutRejection, _ id: BasketID) {
        switch rejection {
        case .basketNotFound: self = .basketNotFound
        case .basketAlreadyOrdered: self = .basketAlreadyOrdered(id)
        case .idempotencyKeyReused:
            self.init(
                .unprocessableContent, "idempotency_key_reused",
                "This Idempotency-Key placed this basket's order with other fields. The order is at /v1/orders/\(id).")
            orderId = id.description
        case .validationFailed(let errors): self = .validationFailed(errors.all.map(FieldErrorBody.init))
        case .priceChanged(let changes, let quote):
            self.init(
                .conflict, "price_changed",
                "The total is not the one you were shown. Nothing was ordered; see what changed and send the total of the quote.")
            self.changes = changes.map(PriceChangeBody.init)
            self.quote = QuoteBody(quote)
        }
    }

    /// These fields are missing or wrong.
    static func validationFailed(_ errors: [FieldErrorBody]) -> Problem {
        var problem = Problem(
            .unprocessableContent, "validation_failed", "Something is missing or wrong; errors says what, field by field.")
        problem.errors = errors
        return problem
    }

    /// No order has this id.
    static var orderNotFound: Problem {
        Problem(.notFound, "order_not_found", "There is no order with this id.")
    }

    /// The order has gone too far to be cancelled.
    static func orderNotCancellable(_ state: OrderState) -> Problem {
        Problem(.conflict, "order_not_cancellable", "An order can be cancelled while it is placed; this one is \(state.rawValue).")
    }

    /// There is no access token, where one is needed (RFC 6750, section 3: then without an error's name).
    static var tokenRequired: Problem {
        Problem(
            .unauthorized, "token_required", "Send the accessToken of the checkout's answer as Authorization: Bearer.",
            headers: [.wwwAuthenticate: "Bearer"])
    }

    /// The access token is not this order's (RFC 6750, section 3.1).
    static var invalidToken: Problem {
        Problem(
            .unauthorized, "invalid_token", "This is not the access token of this order.",
            headers: [.wwwAuthenticate: #"Bearer error="invalid_token""#])
    }
}

extension IdempotencyKey.Refusal: ProblemConvertible {
    /// 400 with the contract's code.
    public var problem: Problem {
        switch self {
        case .missing: Problem(.badRequest, rawValue, "Send an Idempotency-Key, and the same one with every repetition of this request.")
        case .invalid: Problem(.badRequest, rawValue, "An Idempotency-Key is one header of 1 to 255 printable ASCII characters.")
        }
    }
}
