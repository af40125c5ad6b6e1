// What an order has been through: the states it has had, in their order, each with its moment. The database loads it, Web tells it
// to those who follow the order. Next: OrderState.swift for what may follow what.

/// A state that an order came to.
public struct OrderStep: Sendable, Hashable {
    /// The state.
    public let state: OrderState
    /// When, as the database's clock says.
    public let at: Instant
    /// What staff wrote with it; a rejection has one.
    public let reason: String?

    /// A step.
    public init(state: OrderState, at: Instant, reason: String?) {
        (self.state, self.at, self.reason) = (state, at, reason)
    }
}

/// All states that an order has had so far. It only grows.
public struct OrderHistory: Sendable, Hashable {
    /// The order.
    public let id: OrderID
    /// What staff and guest call it.
    public let number: String
    /// The first is `placed`; the last is the state that the order has now.
    public let steps: [OrderStep]

    /// A history.
    public init(id: OrderID, number: String, steps: [OrderStep]) {
        (self.id, self.number, self.steps) = (id, number, steps)
    }

    /// Whether nothing can follow any more.
    public var isOver: Bool { steps.last?.state.isOpen == false }

    /// The step of this number, counted from 1; nil where there is none yet.
    public func event(_ number: Int) -> OrderEvent? {
        guard number >= 1, number <= steps.count else { return nil }
        return OrderEvent(orderID: id, orderNumber: self.number, number: number, step: steps[number - 1])
    }
}

/// One step of one order, as it is told to those who follow.
public struct OrderEvent: Sendable, Hashable {
    /// The order.
    public let orderID: OrderID
    /// Its eight digits.
    public let orderNumber: String
    /// Which step of the order it is: 1 is its placing.
    public let number: Int
    /// The state, its moment and its reason.
    public let step: OrderStep
}
