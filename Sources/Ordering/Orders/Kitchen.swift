// How long the kitchen takes. Asked by Times/SlotTimes.swift; Shop's KitchenLoad counts the open orders.

/// The kitchen's promise.
package enum Kitchen {
    /// How many open orders make everyone wait five minutes longer: what the kitchen cooks at the same time.
    package static let ordersAtOnce = 4

    /// How long before its time an order that is wanted later comes up. The staff's page has the same in ticket.js.
    package static let ahead = Duration.seconds(3600)

    /// Its load in minutes, 15…60 in fives: 15 while it is idle, and five more for each `ordersAtOnce` orders that are open (accepted by nobody
    /// yet, cooking or on their way), 60 from 36 open orders on.
    package static func minutes(openOrders: Int) -> Int {
        15 + 5 * min(max(openOrders, 0) / ordersAtOnce, 9)
    }
}
