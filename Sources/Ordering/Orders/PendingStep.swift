// A rejection or delivery that staff requested. The server executes it after ten seconds, unless it is withdrawn.

/// The pending step of an order.
package struct PendingStep: Sendable, Hashable {
    package let order: OrderID
    /// `rejected` or `delivered`.
    package let state: OrderState
    /// When the server executes the step.
    package let until: Instant
    /// The name of the staff member who requested it.
    package let member: String

    package init(order: OrderID, state: OrderState, until: Instant, member: String) {
        (self.order, self.state, self.until, self.member) = (order, state, until, member)
    }
}

/// The side that rejected an order.
package enum RejectionSource: String, Sendable, Hashable, CaseIterable {
    case staff
    /// The shop itself, because nobody accepted the order by its deadline.
    case deadline
}
