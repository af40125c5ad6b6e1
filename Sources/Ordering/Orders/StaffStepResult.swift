// The steps that staff request for an order, and their results.

/// The result of a step.
package enum StaffStepResult: Sendable {
    /// The order has the new state.
    case moved(Order)
    /// The step is not possible now; contains the database's message, which names the possible steps.
    case refused(StepRule, String)
    /// No order has this number.
    case orderNotFound
}

/// The rules of a step that depend on the stored order. Raw values are the constraint names in
/// sql/007_order_steps.sql.
package enum StepRule: String, Sendable, CaseIterable {
    /// The state machine permits the transition.
    case validTransition = "order_step_makes_sense"
    /// Only an order without a wanted time can be accepted with an estimate in minutes.
    case estimateOnlyWithoutWantedTime = "minutes_are_for_soon"
    /// Only the last step can be taken back.
    case onlyLastStepCanBeTakenBack = "last_step_is_taken_back"
    /// A step can be taken back for ten seconds.
    case takeBackWithinTenSeconds = "step_is_taken_back_in_time"
    /// Only an accepted, unfinished order can be delayed.
    case onlyAcceptedOrdersCanBeDelayed = "delay_is_of_an_accepted_order"
}

/// A step that staff request.
package enum StaffStep: Sendable, Hashable {
    /// Changes the state. `foodIsWasted`: whether the stock of a rejected order is used up; nil: only if preparation
    /// has begun.
    case advance(to: OrderState, reason: String? = nil, minutes: Int? = nil, foodIsWasted: Bool? = nil)
    /// Rejects or delivers the order after ten seconds, unless the step is withdrawn.
    case schedule(OrderState, reason: String? = nil, foodIsWasted: Bool? = nil)
    /// Returns to the previous state from the given one, or from any if nil. If the order has a pending step to this
    /// state, withdraws that step instead.
    case takeBack(OrderState? = nil)
    /// Moves the estimate by this many minutes. The guest sees the reason.
    case delay(minutes: Int, reason: String)

    /// The permitted estimates on acceptance, in minutes.
    package static let estimateMinutes = 5...180
    /// The permitted minutes of one delay.
    package static let delayMinutes = 1...180
    /// The maximum number of characters of a delay's reason.
    package static let delayReasonLimit = 200
}
