// Whether a part of the shop works: its database, its menu, its taking of orders. Told once per change to
// RunningShop's listeners, of which Web's ShopHealth tells the error channel.

/// How a part does.
package enum Health: Sendable, Hashable {
    case healthy
    /// It does not work, and why; the text is for the log.
    case failing(String)
}
