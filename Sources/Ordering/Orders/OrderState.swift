// The states of an order, their transitions and their properties. sql/007_order_steps.sql has the same transitions, and
// OrderStepTests compares both.

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

    /// The states of open orders. The index open_orders (sql/025_open_orders.sql) has the orders in these states.
    package static let open = allCases.filter(\.isOpen)

    /// Whether staff move orders to this state.
    package var isSetByStaff: Bool { self != .placed && self != .cancelled }

    /// Whether staff can take back the step to this state. Staff request a final state, and can withdraw the request.
    package var canBeTakenBack: Bool { isSetByStaff && isOpen }

    /// Whether the guest gets a mail. The other states follow too soon after one of these, or the guest is present.
    package var isMailed: Bool {
        switch self {
        case .placed, .accepted, .onTheWay, .cancelled, .rejected: true
        case .preparing, .delivered: false
        }
    }

    /// The states with a mail.
    package static let mailed = allCases.filter(\.isMailed)
}
