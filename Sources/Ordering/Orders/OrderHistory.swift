// What an order has been through: the states it has had, in their order, each with its moment, and what was taken back or delayed. The database loads it, Web tells it
// to those who follow the order. Next: OrderState.swift for what may follow what.

/// A state that an order came to, or kept.
package struct OrderStep: Sendable, Hashable {
    /// The state.
    package let state: OrderState
    /// When, as the database's clock says.
    package let at: Instant
    /// What staff wrote with it; a rejection and a delay have one.
    package let reason: String?
    /// What staff did.
    package let kind: Kind
    /// When the order is ready, where staff said so with it.
    package let promisedAt: Instant?

    /// How the order came to its state.
    package enum Kind: String, Sendable, Hashable {
        /// It moved on.
        case moved
        /// The step before was a mistake: it has the state again that it had before that.
        case takenBack = "taken_back"
        /// It keeps its state, and takes longer.
        case delayed
    }

    /// A step.
    package init(state: OrderState, at: Instant, reason: String?, kind: Kind = .moved, promisedAt: Instant? = nil) {
        (self.state, self.at, self.reason, self.kind, self.promisedAt) = (state, at, reason, kind, promisedAt)
    }
}

/// All states that an order has had so far. It only grows.
package struct OrderHistory: Sendable, Hashable {
    /// The order.
    package let id: OrderID
    /// What staff and guest call it.
    package let number: String
    /// The first is `placed`; the last is the state that the order has now.
    package let steps: [OrderStep]

    /// A history.
    package init(id: OrderID, number: String, steps: [OrderStep]) {
        (self.id, self.number, self.steps) = (id, number, steps)
    }

    /// Whether nothing can follow any more.
    package var isOver: Bool { steps.last?.state.isOpen == false }

    /// The step of this number, counted from 1; nil where there is none yet.
    package func event(_ number: Int) -> OrderEvent? {
        guard number >= 1, number <= steps.count else { return nil }
        return OrderEvent(orderID: id, orderNumber: self.number, number: number, step: steps[number - 1])
    }
}

/// One step of one order, as it is told to those who follow.
package struct OrderEvent: Sendable, Hashable {
    /// The order.
    package let orderID: OrderID
    /// Its eight digits.
    package let orderNumber: String
    /// Which step of the order it is: 1 is its placing.
    package let number: Int
    /// The state, its moment and its reason.
    package let step: OrderStep
}
