// The problem responses for rejected checkouts.
import HTTPServing
import HTTPTypes
import Ordering
import Wire

extension Problem {
    init(_ rejection: CheckoutRejection, _ id: BasketID) {
        switch rejection {
        case .basketNotFound: self = .basketNotFound
        case .basketAlreadyOrdered: self = .basketAlreadyOrdered(id)
        case .idempotencyKeyReused:
            self.init(
                .unprocessableContent, "idempotency_key_reused",
                """
                This basket was already ordered with other details, so nothing was ordered now. Please see your \
                order.
                """,
                hint: """
                    This Idempotency-Key placed this basket’s order with other fields. The order is at \
                    /v1/orders/\(id).
                    """)
            add("orderId", id.description)
        case .validationFailed(let errors): self.init(errors)
        case .priceChanged(let changes, let quote):
            self.init(
                .conflict, "price_changed",
                "The total has changed, so nothing was ordered. Please check what has changed and order again.",
                hint: """
                    See changes for the differences. Send the total and currency of quote as expectedTotal and \
                    currency.
                    """)
            add("changes", changes.map(PriceChangeBody.init))
            add("quote", QuoteBody(quote))
            headers.setContentLanguage(quote.language)
        }
    }
}

extension CheckoutIdempotencyKey.ParseError: ProblemConvertible {
    package var problem: Problem {
        switch self {
        case .missing:
            .invalidRequest(
                .badRequest, rawValue,
                hint: "Send an Idempotency-Key, and send the same key with every retry of this request.")
        case .invalid:
            .invalidRequest(
                .badRequest, rawValue, hint: "An Idempotency-Key is one header of 1 to 255 printable ASCII characters.")
        }
    }
}
