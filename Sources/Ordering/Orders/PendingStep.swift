// A rejection or delivery that staff requested. The server executes it after ten seconds, unless it is withdrawn.

/// The pending step of an order.
package struct PendingStep: Sendable, Hashable {
    package let orderID: OrderID
    /// `rejected` or `delivered`.
    package let state: OrderState
    /// When the server executes the step.
    package let dueAt: Instant
    /// The name of the staff member who requested it.
    package let member: String

    package init(orderID: OrderID, state: OrderState, dueAt: Instant, member: String) {
        (self.orderID, self.state, self.dueAt, self.member) = (orderID, state, dueAt, member)
    }
}

/// The side that rejected an order.
package enum RejectionSource: String, Sendable, Hashable, CaseIterable {
    case staff
    /// The shop itself, because staff did not accept the order by its deadline.
    case deadline
}
