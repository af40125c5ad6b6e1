// How the shop takes new orders on. ShopTerms has it, staff write it (sql/021_deadlines.sql), and waiting orders are judged by it.
// Read next: Orders/WaitingOrder.swift.

/// Who accepts a new order, and within which time.
package enum Acceptance: Sendable, Hashable {
    /// Staff, whenever they like.
    case byStaff
    /// Staff, within so many minutes in which the shop is open.
    case within(minutes: Int)
    /// The shop itself, at once.
    case automatically

    /// How many minutes a deadline may have.
    package static let minutes = 1...1440

    /// Of the deadline; nil: there is none.
    package var withinMinutes: Int? { if case .within(let minutes) = self { minutes } else { nil } }
}
