// Where an order is on its way, and the steps that make sense. Web reads it to offer a cancellation; staff's advance_order
// in SQL keeps to the same table.

/// Where an order is on its way to the guest.
package enum OrderState: String, Sendable, Hashable, CaseIterable {
    /// The kitchen has not accepted the order yet; the guest can still cancel it.
    case placed
    /// The kitchen took it on.
    case accepted
    /// It is being cooked.
    case preparing
    /// The courier has it.
    case onTheWay = "on_the_way"
    /// The guest has it.
    case delivered
    /// Given up by the guest.
    case cancelled
    /// Given up by staff, with a reason.
    case rejected

    /// The states that may follow this one: what is allowed in one step.
    package var next: [OrderState] {
        switch self {
        case .placed: [.accepted, .cancelled, .rejected]
        case .accepted: [.preparing, .rejected]
        case .preparing: [.onTheWay, .rejected]
        case .onTheWay: [.delivered, .rejected]
        case .delivered, .cancelled, .rejected: []
        }
    }

    /// Whether an order may go from this state to the other in one step.
    package func canMove(to other: OrderState) -> Bool { next.contains(other) }

    /// Whether it counts: cancelled and rejected orders count for nothing in a coupon's conditions.
    package var isLive: Bool { self != .cancelled && self != .rejected }

    /// Whether the kitchen or the courier still has to do with it.
    package var isOpen: Bool { !next.isEmpty }
}
