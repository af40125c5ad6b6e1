// Prepares the day numbers: writes the row of each business day in advance, and numbers orders that got no number at
// their checkout. Every server does both. The database ensures that each row and each number is written once.
import Database
import Logging
import Ordering
import ServiceLifecycle
import Synchronization

/// Prepares and completes the short day numbers.
package final class DayNumbering: Service {
    /// How many orders are numbered in one transaction.
    static let page = 50
    /// How many polls in a row may find no row for today before the log reports it.
    private static let pollLimit = 10
    /// How many failed orders are remembered, so that the log names each once.
    private static let failureLimit = 1_000

    private struct State {
        var pollsWithoutRow = 0
        var failed: Set<OrderID> = []
    }

    private let database: ShopDatabase
    private let staffDatabase: ShopDatabase
    private let logger: Logger
    private let state = Mutex(State())
    private let poller = Poller()

    /// - Parameter staffDatabase: Writes the rows of business days. The write may wait for an open transaction that
    ///   inserted the same key, and must not delay guests' statements.
    init(database: ShopDatabase, staffDatabase: ShopDatabase, logger: Logger) {
        (self.database, self.staffDatabase, self.logger) = (database, staffDatabase, logger)
    }

    /// Polls once a second until the server shuts down.
    package func run() async throws {
        await poller.run {
            await self.writeRows()
            await self.numberOrders()
        }
    }

    private func writeRows() async {
        do throws(DatabaseFault) {
            let written = try await database.areDayNumbersWritten()
            noteRow(isThere: written.today)
            if !written.today || !written.tomorrow { try await staffDatabase.writeDayNumbers() }
        } catch {
            logger.debug("the rows of day numbers can't be written", metadata: ["reason": "\(error)"])
        }
    }

    private func noteRow(isThere: Bool) {
        let polls = state.withLock { state in
            state.pollsWithoutRow = isThere ? 0 : state.pollsWithoutRow + 1
            return state.pollsWithoutRow
        }
        if polls == Self.pollLimit {
            logger.warning(
                "orders get no day number: the business day has no row in day_numbers, and it can't be written")
        }
    }

    /// Works page by page, so that locked or failing orders delay no other order.
    private func numberOrders() async {
        var last: UnnumberedOrder?
        repeat {
            let orders: [UnnumberedOrder]
            do throws(DatabaseFault) {
                orders = try await database.loadUnnumberedOrders(after: last, limit: Self.page)
            } catch {
                return logger.debug("orders without a number can't be read", metadata: ["reason": "\(error)"])
            }
            last = orders.count == Self.page ? orders.last : nil
            if !orders.isEmpty { await number(orders) }
        } while last != nil && !Task.isCancelled
    }

    /// A failure of one page delays no other page.
    private func number(_ orders: [UnnumberedOrder]) async {
        do throws(DatabaseFault) { note(failed: try await database.assignDayNumbers(to: orders.map(\.id))) } catch {
            logger.debug("orders can't be numbered", metadata: ["reason": "\(error)"])
        }
    }

    private func note(failed: [OrderID]) {
        guard !failed.isEmpty else { return }
        let new = state.withLock { state in
            failed.filter { state.failed.count < Self.failureLimit && state.failed.insert($0).inserted }
        }
        for order in new {
            logger.error("an order can't be updated and has no day number", metadata: ["order": "\(order)"])
        }
    }
}
