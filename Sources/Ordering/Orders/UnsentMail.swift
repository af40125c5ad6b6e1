// A mail that could not be delivered. Staff see it with the order.

package struct UnsentMail: Sendable, Hashable {
    package let orderID: OrderID
    /// The state that the mail reports.
    package let state: OrderState
    package let reason: Reason
    /// When the server gave up.
    package let abandonedAt: Instant

    /// Why the server gave up, as stored in `order_mails.reason`.
    package enum Reason: String, Sendable, Hashable {
        /// The address already received five mails within an hour.
        case addressLimit = "address_limit"
        /// The mail server rejects the address permanently.
        case refused
        /// No mail server accepted the mail for a day.
        case expired
        /// The order cannot be read, or has no address.
        case unwritable
    }

    package init(orderID: OrderID, state: OrderState, reason: Reason, abandonedAt: Instant) {
        (self.orderID, self.state, self.reason, self.abandonedAt) = (orderID, state, reason, abandonedAt)
    }
}
