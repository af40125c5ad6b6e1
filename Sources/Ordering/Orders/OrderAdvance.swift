// What becomes of a step that staff ask for. The database decides, Web answers. Next: OrderState.swift.

/// What became of a step.
package enum OrderAdvance: Sendable {
    /// The order has the new state.
    case moved(Order)
    /// The step makes no sense now; the database's sentence says which would.
    case refused(StepRule, String)
    /// No order has this number.
    case unknown
}

/// What a step of staff's has to keep to that only the order as it is can tell. Each is called as the database calls it (sql/007_order_steps.sql).
package enum StepRule: String, Sendable, CaseIterable {
    /// The state may follow the one that the order has.
    case makesSense = "order_step_makes_sense"
    /// Who wants an order at a time is promised no other when it is accepted.
    case minutesAreForSoon = "minutes_are_for_soon"
    /// What is taken back is the order's last step.
    case takesBackTheLast = "last_step_is_taken_back"
    /// It was taken ten seconds ago at most.
    case takesBackInTime = "step_is_taken_back_in_time"
    /// Only what staff have accepted and not brought to its end is delayed.
    case delaysWhatIsAccepted = "delay_is_of_an_accepted_order"
}

/// A step that staff ask for.
package enum StaffStep: Sendable, Hashable {
    /// To another state. Whether what a rejected order has taken is used up; nil: it is where somebody has begun to make it.
    case advance(to: OrderState, reason: String? = nil, minutes: Int? = nil, foodIsWasted: Bool? = nil)
    /// Rejected or delivered after ten seconds, unless it is withdrawn.
    case request(OrderState, reason: String? = nil, foodIsWasted: Bool? = nil)
    /// Back to the state before, from this one only; nil: from whichever it is. Withdraws a pending step instead if the
    /// order has one to this state.
    case takeBack(OrderState? = nil)
    /// Ready so many minutes later than it was promised, with what the guest reads of it.
    case delay(minutes: Int, reason: String)

    /// Minutes within which an order can be promised when it is accepted.
    package static let minutes = 5...180
    /// Minutes by which one step delays it.
    package static let delayMinutes = 1...180
    /// Characters of a delay's reason.
    package static let delayReasonLimit = 200
}
