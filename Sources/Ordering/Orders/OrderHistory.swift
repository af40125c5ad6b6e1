// The history of an order: its states with their times, steps taken back, and delays.

/// A step in an order's history.
package struct OrderStep: Sendable, Hashable {
    /// The state after the step.
    package let state: OrderState
    /// The time, by the database's clock.
    package let occurredAt: Instant
    /// The reason that staff gave; set for rejections and delays.
    package let reason: String?
    /// The kind of step.
    package let kind: Kind
    /// The new estimate, if staff gave one.
    package let promisedAt: Instant?

    /// How the order came to its state.
    package enum Kind: String, Sendable, Hashable {
        /// The order moved to its next state.
        case moved
        /// The step before was taken back; the order returned to the state before it.
        case takenBack = "taken_back"
        /// The order kept its state but takes longer.
        case delayed
    }

    /// A step.
    package init(
        state: OrderState, occurredAt: Instant, reason: String?, kind: Kind = .moved, promisedAt: Instant? = nil
    ) {
        (self.state, self.occurredAt, self.reason, self.kind, self.promisedAt) = (
            state, occurredAt, reason, kind, promisedAt
        )
    }
}

/// All steps of an order so far. A history only grows.
package struct OrderHistory: Sendable, Hashable {
    /// The order.
    package let id: OrderID
    /// The order's eight digits.
    package let number: String
    /// The first step is `placed`; the last step has the current state.
    package let steps: [OrderStep]

    /// A history.
    package init(id: OrderID, number: String, steps: [OrderStep]) {
        (self.id, self.number, self.steps) = (id, number, steps)
    }

    /// Whether the order is in a final state.
    package var isOver: Bool { steps.last?.state.isOpen == false }

    /// The step with this number, counted from 1; nil if it has not happened yet.
    package func event(number: Int) -> OrderEvent? {
        guard number >= 1, number <= steps.count else { return nil }
        return OrderEvent(orderID: id, orderNumber: self.number, number: number, step: steps[number - 1])
    }
}

/// A step of an order, as published to its subscribers.
package struct OrderEvent: Sendable, Hashable {
    /// The order.
    package let orderID: OrderID
    /// The order's eight digits.
    package let orderNumber: String
    /// The number of the step; 1 is the placement.
    package let number: Int
    /// The step.
    package let step: OrderStep
}
