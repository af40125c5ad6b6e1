// Executes the rejections and deliveries that staff requested ten seconds ago. Every server polls, so the crash of one
// server causes no delay. The row lock of the order lets only one server execute its step.
import Database
import Logging
import Ordering
import ServiceLifecycle
import Synchronization

/// Executes pending steps when they are due.
package final class PendingStepExecutor: Service {
    /// How many steps are read in one statement.
    static let page = 50
    /// How many orders whose steps fail are remembered, so that the log names each once.
    private static let failureLimit = 1_000

    private let database: ShopDatabase
    private let locked: LockedRows
    private let moves: RecentlyChangedOrders
    private let logger: Logger
    private let failed = Mutex<Set<OrderID>>([])
    private let poller = Poller()

    /// - Parameter database: The staff pool. Waiting on it for the row of a coupon or an item delays no checkout.
    init(database: ShopDatabase, locked: LockedRows, moves: RecentlyChangedOrders, logger: Logger) {
        (self.database, self.locked, self.moves, self.logger) = (database, locked, moves, logger)
    }

    /// Polls twice a second until the server shuts down.
    package func run() async throws {
        await poller.run(every: .milliseconds(500)) { await self.executeDue() }
    }

    /// Works page by page, so that blocked steps delay no later ones.
    private func executeDue() async {
        var last: PendingStep?
        repeat {
            do throws(DatabaseFault) {
                let steps = try await database.loadDueSteps(after: last, limit: Self.page)
                last = steps.count == Self.page ? steps.last : nil
                try await execute(steps)
            } catch {
                return logger.debug("pending steps can't be executed", metadata: ["reason": "\(error)"])
            }
        } while last != nil && !Task.isCancelled
    }

    /// Executes each step in its own transaction, so that a failure delays no other step. Throws if the database is
    /// unreachable.
    private func execute(_ steps: [PendingStep]) async throws(DatabaseFault) {
        guard !steps.isEmpty else { return }
        let rows = locked.isEmpty ? [:] : try await database.loadContestedRows(of: steps.map(\.orderID))
        for step in steps where !Task.isCancelled {
            // LockedRows reports the locked row; the next poll tries again.
            if let wanted = rows[step.orderID], locked.isLocked(anyOf: wanted) { continue }
            do throws(DatabaseFault) {
                let isExecuted = try await locked.waitingForCommits(on: database) { () throws(DatabaseFault) in
                    try await database.loadContestedRows(of: step.orderID)
                } _: { database throws(DatabaseFault) in
                    try await database.executePendingStep(of: step.orderID)
                }
                if isExecuted { moves.record(step.orderID) }
                failed.withLock { _ = $0.remove(step.orderID) }
            } catch {
                if error.isConnectivityFailure { throw error }
                if error.kind == .locked {
                    _ = try await locked.findLocked(among: database.loadContestedRows(of: step.orderID))
                } else {
                    note(error, of: step)
                }
            }
        }
    }

    private func note(_ fault: DatabaseFault, of step: PendingStep) {
        let isNew = failed.withLock { $0.count < Self.failureLimit && $0.insert(step.orderID).inserted }
        guard isNew else { return }
        logger.error(
            "a step that staff requested can't be executed and is tried again",
            metadata: ["order": "\(step.orderID)", "state": "\(step.state.rawValue)", "reason": "\(fault)"])
    }
}
