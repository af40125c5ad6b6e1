// A guest's orders, read and given up. An order is read on a replica where that can be told from reading it on the primary by nobody, and on the
// primary otherwise. Made by RunningShop, called by Web. Read next: CancellationQueue.swift, Replicas/ReadReplicas.swift, Replicas/RecentMoves.swift.
import Database
import Ordering

/// What a guest may do with an order that is placed.
package struct GuestOrders: Sendable {
    let database: ShopDatabase
    let replicas: ReadReplicas
    let moves: RecentMoves
    package let cancellations: CancellationQueue

    /// The order as it is now; nil where there is none.
    ///
    /// A replica that doesn't know the order may be behind, so the primary has the last word on that; and on an order that moved
    /// a moment ago. While the primary is away, a replica's state of the order is better than none.
    package func load(_ id: OrderID) async throws(ShopFault) -> Order? {
        let onReplica: @Sendable (ShopDatabase) async throws(DatabaseFault) -> Order? = { replica throws(DatabaseFault) in
            try await replica.loadOrder(id)
        }
        let isSettled = moves.isSettled(id)
        if isSettled, let order = await replicas.read(onReplica) ?? nil { return order }
        do throws(DatabaseFault) {
            return try await database.loadOrder(id)
        } catch {
            if !isSettled, error.isAbsence, let order = await replicas.read(onReplica) ?? nil { return order }
            throw ShopFault(error)
        }
    }

    /// The order as the primary has it, which decides what becomes of it.
    package func loadFromPrimary(_ id: OrderID) async throws(ShopFault) -> Order? {
        try await ShopFault.of { () throws(DatabaseFault) in try await database.loadOrder(id) }
    }

    /// Cancels an order that is still `placed` and gives its coupon back; answers the state that it has now, nil where there is none.
    package func cancel(_ id: OrderID) async throws(ShopFault) -> OrderState? {
        // Noted whatever comes of it: a cancellation without an answer may have happened.
        defer { moves.note(id) }
        return try await cancellations.submit(id)
    }
}
