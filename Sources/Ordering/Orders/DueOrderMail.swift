// A mail to send: an order reached a state that its guest is notified of.

/// One mail about one order.
package struct DueOrderMail: Sendable, Hashable {
    package let orderID: OrderID
    /// A state with a mail.
    package let state: OrderState
    /// When the order entered the state.
    package let enteredAt: Instant
    /// The number of failed attempts.
    package let attempts: Int

    package init(orderID: OrderID, state: OrderState, enteredAt: Instant, attempts: Int = 0) {
        (self.orderID, self.state, self.enteredAt, self.attempts) = (orderID, state, enteredAt, attempts)
    }
}
