// What staff say of an item's or an option's stock. Made by Web of a request, written by Database's SetAvailability.swift.

/// Whether a thing can be had, as staff say it.
package enum StockMark: Sendable, Hashable {
    /// It can be had.
    case available
    /// It can't, before this moment, or until further notice.
    case soldOut(until: Instant?)
    /// It can't, before the shop's next business day begins.
    case soldOutUntilTomorrow
}
