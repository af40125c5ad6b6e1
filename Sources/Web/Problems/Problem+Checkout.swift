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
                .unprocessableContent, "idempotency_key_reused", "This basket has been ordered already, with other details.",
                hint: "This Idempotency-Key placed this basket's order with other fields. The order is at /v1/orders/\(id).")
            orderId = id.description
        case .validationFailed(let errors): self.init(errors)
        case .priceChanged(let changes, let quote):
            self.init(
                .conflict, "price_changed",
                "The total is not the one you were shown. Nothing was ordered; please look at what has changed, and order if it is right.",
                hint: "changes says what; send the total and the currency of quote as expectedTotal and currency.")
            self.changes = changes.map(PriceChangeBody.init)
            self.quote = QuoteBody(quote)
        }
    }

    /// These fields are missing or wrong.
    static func validationFailed(_ errors: [FieldErrorBody]) -> Problem {
        var problem = Problem(
            .unprocessableContent, "validation_failed", "Something is missing or wrong. Please look at what you have filled in.",
            hint: "errors says what, field by field.")
        problem.errors = errors
        return problem
    }

    /// No order has this id.
    static var orderNotFound: Problem {
        Problem(.notFound, "order_not_found", "There is no such order.")
    }

    /// The order has gone too far to be cancelled.
    static func orderNotCancellable(_ state: OrderState) -> Problem {
        let why =
            switch state {
            case .delivered: "Your order has been delivered already, so it can't be cancelled any more."
            case .rejected: "Your order was rejected already, so there is nothing to cancel."
            default: "The kitchen has your order already, so it can't be cancelled any more."
            }
        return Problem(
            .conflict, "order_not_cancellable", why,
            hint: "An order can be cancelled while it is placed; this one is \(state.rawValue).")
    }

    /// There is no access token, where one is needed (RFC 6750, section 3: then without an error's name).
    static var tokenRequired: Problem {
        Problem(
            .unauthorized, "token_required", "Only who placed this order can do this, on the device it was ordered with.",
            hint: "Send the accessToken of the checkout's answer as Authorization: Bearer.",
            headers: [.wwwAuthenticate: "Bearer"])
    }

    /// The access token is not this order's (RFC 6750, section 3.1).
    static var invalidToken: Problem {
        Problem(
            .unauthorized, "invalid_token", "Only who placed this order can see and do this, on the device it was ordered with.",
            hint: "This is not the access token of this order.",
            headers: [.wwwAuthenticate: #"Bearer error="invalid_token""#])
    }
}

extension IdempotencyKey.Refusal: ProblemConvertible {
    /// 400 with the contract's code.
    package var problem: Problem {
        switch self {
        case .missing:
            .misunderstood(.badRequest, rawValue, hint: "Send an Idempotency-Key, and the same one with every repetition of this request.")
        case .invalid:
            .misunderstood(.badRequest, rawValue, hint: "An Idempotency-Key is one header of 1 to 255 printable ASCII characters.")
        }
    }
}
