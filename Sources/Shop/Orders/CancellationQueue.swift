// Cancels orders for guests, two at a time. A cancellation may wait for a row that staff have locked, so the
// limit keeps the other connections free.
import Database
import Metrics
import Ordering
import ServiceLifecycle

/// Cancels orders for guests.
package final class CancellationQueue: Service {
    private struct Cancellation: QueuedJob {
        let subject: OrderID
    }

    private let queue: BatchQueue<Cancellation, OrderState?>

    init(database: ShopDatabase, locked: LockedRows, metrics: any MetricsFactory) {
        var limits = QueueLimits()
        limits.batchSize = 1
        queue = BatchQueue("cancellations", limits: limits, metrics: metrics) { jobs, _ in
            var results: [BatchResult<OrderState?>] = []
            for job in jobs { results.append(await Self.cancel(job.subject, database, locked)) }
            return results
        }
    }

    /// Cancels an order that is still `placed`. Returns the current state; nil if the order does not exist.
    func submit(_ id: OrderID) async throws(ShopFault) -> OrderState? {
        try await queue.submit(Cancellation(subject: id))
    }

    /// How many cancellations wait for a locked row.
    package var blockedCount: Int { queue.blockedCount }

    /// Works until the server shuts down.
    package func run() async throws { try await queue.run() }

    private static func cancel(_ id: OrderID, _ database: ShopDatabase, _ locked: LockedRows) async -> BatchResult<
        OrderState?
    > {
        do throws(DatabaseFault) {
            if !locked.isEmpty, case let rows = try await database.loadContestedRows(of: id),
                locked.isLocked(anyOf: rows)
            {
                return .blocked { locked.isLocked(anyOf: rows) }
            }
            do throws(DatabaseFault) {
                return try await locked.waitingForCommits(on: database) { () throws(DatabaseFault) in
                    try await database.loadContestedRows(of: id)
                } _: { database throws(DatabaseFault) in
                    .done(try await database.cancelOrder(id))
                }
            } catch {
                guard error.kind == .locked else { throw error }
            }
            let held = try await locked.findLocked(among: database.loadContestedRows(of: id))
            // If no row is locked any more, the job is retried at once.
            return .blocked { locked.isLocked(anyOf: held) }
        } catch {
            return .failed(ShopFault(error))
        }
    }
}
