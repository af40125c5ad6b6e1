// Loads and cancels orders for guests. Reads from a replica if the result is certain to equal the primary's.
import Database
import Ordering

/// Loads and cancels placed orders.
package struct GuestOrders: Sendable {
    let database: ShopDatabase
    let replicas: ReadReplicas
    let moves: RecentlyChangedOrders
    /// The queue of cancellations.
    package let cancellations: CancellationQueue

    /// The current order; nil if it does not exist.
    ///
    /// Asks the primary about an order that changed a moment ago or that the replica does not have. Falls back to the
    /// replica's older state while the primary is unreachable.
    package func load(_ id: OrderID) async throws(ShopFault) -> Order? {
        let onReplica: @Sendable (ShopDatabase) async throws(DatabaseFault) -> Order? = {
            replica throws(DatabaseFault) in
            try await replica.loadOrder(id)
        }
        let isSettled = moves.isSettledOnReplicas(id)
        if isSettled, let order = await replicas.read(onReplica) ?? nil { return order }
        do throws(DatabaseFault) {
            return try await database.loadOrder(id)
        } catch {
            if !isSettled, error.isConnectivityFailure, let order = await replicas.read(onReplica) ?? nil {
                return order
            }
            throw ShopFault(error)
        }
    }

    /// The order from the primary.
    package func loadFromPrimary(_ id: OrderID) async throws(ShopFault) -> Order? {
        try await ShopFault.wrapping { () throws(DatabaseFault) in try await database.loadOrder(id) }
    }

    /// Cancels an order that is still `placed`, and releases its coupon use. Returns the current state; nil if the
    /// order does not exist.
    package func cancel(_ id: OrderID) async throws(ShopFault) -> OrderState? {
        // Records the change even after an error, because the cancellation may have been committed.
        defer { moves.record(id) }
        return try await cancellations.submit(id)
    }
}
