// How much longer the kitchen takes than when it is idle. Asked by Times/SlotTimes.swift; Shop's KitchenLoad counts the open orders.

/// The kitchen's promise.
package enum Kitchen {
    /// How many open orders make everyone wait five minutes longer: what the kitchen cooks at the same time.
    package static let ordersAtOnce = 4

    /// How long before its time an order that is wanted later comes up. The staff's page has the same in ticket.js.
    package static let ahead = Duration.seconds(3600)

    /// Minutes, 0…45 in fives: five for each `ordersAtOnce` orders that are open (accepted by nobody yet, cooking or on their way), 45 from 36
    /// open orders on.
    package static func delayMinutes(openOrders: Int) -> Int {
        5 * min(max(openOrders, 0) / ordersAtOnce, 9)
    }
}
