// The kitchen's capacity and preparation time.

/// The kitchen's preparation time.
package enum Kitchen {
    /// The number of orders that the kitchen cooks in parallel. Every group of this many open orders adds five minutes
    /// to every estimate.
    package static let parallelOrders = 4

    /// How long before its wanted time a pre-order becomes due. Must equal the value in the staff page's orderCard.js.
    package static let leadTime = Duration.seconds(3600)

    /// The preparation time in minutes, 15…60 in steps of 5: 15 when idle, and 5 more per `parallelOrders` open
    /// orders, up to 60 from 36 open orders on. Open orders are placed, accepted, being prepared or on their way.
    package static func preparationMinutes(openOrders: Int) -> Int {
        15 + 5 * min(max(openOrders, 0) / parallelOrders, 9)
    }
}
