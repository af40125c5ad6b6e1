// A rejection or a delivery that staff requested, and that the server executes ten seconds
// later unless it is withdrawn.

/// The pending step of an order.
package struct PendingStep: Sendable, Hashable {
    package let order: OrderID
    /// `rejected` or `delivered`.
    package let state: OrderState
    /// When the server executes it.
    package let until: Instant
    /// The name of the member who requested it.
    package let member: String

    package init(order: OrderID, state: OrderState, until: Instant, member: String) {
        (self.order, self.state, self.until, self.member) = (order, state, until, member)
    }
}

/// Who rejected an order.
package enum RejectionSource: String, Sendable, Hashable, CaseIterable {
    case staff
    /// The shop, because nobody accepted the order by its deadline.
    case deadline
}
