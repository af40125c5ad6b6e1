// The problem responses for reading and cancelling orders.
import HTTPServing
import HTTPTypes
import Ordering

extension Problem {
    static let orderNotFound = Problem(.notFound, "order_not_found", "We can’t find this order. Please check the link.")

    /// The order's state no longer allows cancellation.
    static func orderNotCancellable(_ state: OrderState) -> Problem {
        let why =
            switch state {
            case .delivered: "Your order has already been delivered, so it can’t be cancelled any more."
            case .rejected: "Your order was already rejected, so there is nothing to cancel."
            default: "The kitchen has already accepted your order, so it can’t be cancelled any more."
            }
        return Problem(
            .conflict, "order_not_cancellable", why,
            hint: "An order can be cancelled only in the state placed. This one is \(state.rawValue).")
    }

    /// The request has no access token. The header then has no error code (RFC 6750, section 3).
    static let tokenRequired = Problem(
        .unauthorized, "token_required", "You can do this only on the device with which you placed the order.",
        hint: "Send the accessToken of the checkout’s response as Authorization: Bearer.",
        headers: [.wwwAuthenticate: "Bearer"])

    /// The access token belongs to another order (RFC 6750, section 3.1).
    static let invalidToken = Problem(
        .unauthorized, "invalid_token", "You can do this only on the device with which you placed the order.",
        hint: "This is not the access token of this order.",
        headers: [.wwwAuthenticate: #"Bearer error="invalid_token""#])
}
