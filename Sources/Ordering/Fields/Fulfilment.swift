// How the guest gets the order. Chosen in the checkout form; hours, slots, fees and taxes differ by it.

/// One of two ways.
package enum Fulfilment: String, Sendable, Hashable, CaseIterable {
    /// Somebody brings it.
    case delivery
    /// The guest comes for it.
    case pickup
}
