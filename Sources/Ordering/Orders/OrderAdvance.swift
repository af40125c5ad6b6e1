// What becomes of a step that staff ask for. The database decides, Shop waits for the row, Web answers. Next: OrderState.swift.

/// What became of a step.
package enum OrderAdvance: Sendable {
    /// The order has the new state.
    case moved(Order)
    /// The step makes no sense; the database's sentence says which would.
    case refused(String)
    /// No order has this number.
    case unknown
    /// Somebody is at this order in SQL and has not ended it.
    case isLocked
}
