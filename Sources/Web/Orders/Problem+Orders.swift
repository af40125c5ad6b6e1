// Why an order was not read or cancelled, as HTTP. Thrown by OrderRoutes.
import HTTPTypes
import Ordering

extension Problem {
    static let orderNotFound = Problem(.notFound, "order_not_found", "There is no such order.")

    /// The order has gone too far to be cancelled.
    static func orderNotCancellable(_ state: OrderState) -> Problem {
        let why =
            switch state {
            case .delivered: "Your order has been delivered already, so it can’t be cancelled any more."
            case .rejected: "Your order was rejected already, so there is nothing to cancel."
            default: "The kitchen has your order already, so it can’t be cancelled any more."
            }
        return Problem(
            .conflict, "order_not_cancellable", why,
            hint: "An order can be cancelled while it is placed; this one is \(state.rawValue).")
    }

    /// There is no access token, where one is needed (RFC 6750, section 3: then without an error's name).
    static let tokenRequired = Problem(
        .unauthorized, "token_required", "This is only possible on the device that the order was placed with.",
        hint: "Send the accessToken of the checkout’s answer as Authorization: Bearer.",
        headers: [.wwwAuthenticate: "Bearer"])

    /// The access token is not this order's (RFC 6750, section 3.1).
    static let invalidToken = Problem(
        .unauthorized, "invalid_token", "This is only possible on the device that the order was placed with.",
        hint: "This is not the access token of this order.",
        headers: [.wwwAuthenticate: #"Bearer error="invalid_token""#])
}
