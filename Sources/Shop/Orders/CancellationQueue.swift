// Cancels orders for their guests, two at a time: what one gives back may be a row that staff hold, and then no more connections than these wait for it.
// Used by GuestOrders; run as a service by RunningShop. Read next: Locks/LockedRows.swift.
import Database
import Metrics
import Ordering
import ServiceLifecycle

package final class CancellationQueue: Service {
    private struct Cancellation: QueuedJob {
        let subject: OrderID
    }

    private let queue: BatchQueue<Cancellation, OrderState?>

    init(database: ShopDatabase, locked: LockedRows, metrics: any MetricsFactory) {
        var limits = QueueLimits()
        limits.batch = 1
        queue = BatchQueue("cancellations", limits: limits, metrics: metrics) { jobs, _ in
            var results: [BatchResult<OrderState?>] = []
            for job in jobs { results.append(await Self.cancel(job.subject, database, locked)) }
            return results
        }
    }

    /// Cancels an order that is still `placed`; answers the state that it has now, nil where there is none.
    func submit(_ id: OrderID) async throws(ShopFault) -> OrderState? { try await queue.submit(Cancellation(subject: id)) }

    package var blockedCount: Int { queue.blockedCount }

    package func run() async throws { try await queue.run() }

    private static func cancel(_ id: OrderID, _ database: ShopDatabase, _ locked: LockedRows) async -> BatchResult<OrderState?> {
        do throws(DatabaseFault) {
            if !locked.isEmpty, case let rows = try await database.loadContestedRows(of: id), locked.holds(anyOf: rows) {
                return .waits { locked.holds(anyOf: rows) }
            }
            do throws(DatabaseFault) { return .done(try await database.cancelOrder(id)) } catch {
                guard error.kind == .locked else { throw error }
            }
            let held = try await locked.find(among: database.loadContestedRows(of: id))
            // None: it is free by now, and tried again in a moment.
            return .waits { locked.holds(anyOf: held) }
        } catch {
            return .failed(ShopFault(error))
        }
    }
}
