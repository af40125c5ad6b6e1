// How long the kitchen takes. Asked by Shop's KitchenLoad, which counts the open orders about once a second and tells CheckoutRoutes.

/// The kitchen's promise.
package enum Kitchen {
    /// How many open orders make everyone wait five minutes longer: what the kitchen cooks at the same time.
    package static let ordersAtOnce = 4

    /// Minutes until delivery, 15…60 in fives: 15 for an idle kitchen, five more for each `ordersAtOnce` orders that are open
    /// (accepted by nobody yet, cooking or on their way), 60 from 36 open orders on.
    package static func etaMinutes(openOrders: Int) -> Int {
        15 + 5 * min(max(openOrders, 0) / ordersAtOnce, 9)
    }
}
