// How the guest gets the order. Hours, slots, fees and taxes depend on it.

/// The way in which the guest gets the order.
package enum Fulfilment: String, Sendable, Hashable, CaseIterable {
    /// A courier brings the order.
    case delivery
    /// The guest collects the order.
    case pickup
}
