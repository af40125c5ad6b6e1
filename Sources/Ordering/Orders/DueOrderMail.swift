// A state that an order has come to and that its guest is told of by mail. The database finds them, Shop has them sent.
// Next: OrderState.swift.

extension OrderState {
    /// The states that guests are told of by mail; the others follow too soon, or are seen with one's own eyes.
    package static let mailed: [OrderState] = [.placed, .accepted, .onTheWay, .rejected, .cancelled]
}

/// One mail of one order.
package struct DueOrderMail: Sendable, Hashable {
    package let order: OrderID
    /// One of those that are mailed.
    package let state: OrderState
    /// Since when the order has that state.
    package let at: Instant
    /// How often its mail was tried.
    package let attempts: Int

    package init(order: OrderID, state: OrderState, at: Instant, attempts: Int = 0) {
        (self.order, self.state, self.at, self.attempts) = (order, state, at, attempts)
    }
}
