// The states of an order and their transitions. SQL's advance_order implements the same table.

/// The state of an order.
package enum OrderState: String, Sendable, Hashable, CaseIterable {
    /// The kitchen has not accepted the order yet; the guest can still cancel it.
    case placed
    /// The kitchen accepted the order.
    case accepted
    /// The kitchen prepares the order.
    case preparing
    /// The courier has the order, or it is ready for pickup.
    case onTheWay = "on_the_way"
    /// The guest has the order.
    case delivered
    /// The guest cancelled the order.
    case cancelled
    /// Staff rejected the order with a reason, or it was not accepted by its deadline.
    case rejected

    /// The states that may follow in one step.
    package var next: [OrderState] {
        switch self {
        case .placed: [.accepted, .cancelled, .rejected]
        case .accepted: [.preparing, .rejected]
        case .preparing: [.onTheWay, .rejected]
        case .onTheWay: [.delivered, .rejected]
        case .delivered, .cancelled, .rejected: []
        }
    }

    /// Whether an order may change to the other state in one step.
    package func canMove(to other: OrderState) -> Bool { next.contains(other) }

    /// Whether the order counts for coupons: cancelled and rejected orders do not.
    package var isLive: Bool { self != .cancelled && self != .rejected }

    /// Whether the kitchen or the courier still works on the order.
    package var isOpen: Bool { !next.isEmpty }
}
