// A mail that its guest did not get. Staff see it at the order.

package struct UnsentMail: Sendable, Hashable {
    package let order: OrderID
    /// The state that the mail reports.
    package let state: OrderState
    package let reason: Reason
    /// When it was given up.
    package let at: Instant

    /// Why a mail was given up, as `order_mails.reason` has it.
    package enum Reason: String, Sendable, Hashable {
        /// Five mails went to its address within an hour.
        case addressLimit = "address_limit"
        /// The mail server refuses the address for good.
        case refused
        /// No mail server took it for a day.
        case expired
        /// The order can't be read, or has no address.
        case unwritable
    }

    package init(order: OrderID, state: OrderState, reason: Reason, at: Instant) {
        (self.order, self.state, self.reason, self.at) = (order, state, reason, at)
    }
}
