// How the shop accepts new orders.

/// How a new order is accepted: by staff, by staff within a deadline, or automatically.
package enum Acceptance: Sendable, Hashable {
    /// Staff, without a deadline.
    case byStaff
    /// Staff, within this number of minutes of opening hours.
    case within(minutes: Int)
    /// The shop, automatically and at once.
    case automatically

    /// The permitted minutes of a deadline.
    package static let permittedMinutes = 1...1440

    /// The minutes of the deadline; nil without one.
    package var deadlineMinutes: Int? { if case .within(let minutes) = self { minutes } else { nil } }
}
