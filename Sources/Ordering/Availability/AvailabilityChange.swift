// How staff change the availability of an item or an option.

/// The availability that staff set.
package enum AvailabilityChange: Sendable, Hashable {
    /// Available.
    case available
    /// Sold out until this time; nil: until further notice.
    case soldOut(until: Instant?)
    /// Sold out until the shop's next business day begins.
    case soldOutUntilTomorrow
}
