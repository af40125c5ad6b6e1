// Keeps the numbers of the day going: writes the row of each business day ahead of it, and numbers the orders whose
// number no checkout drew. Every server does both, and the database decides which is first.
import Database
import Logging
import Ordering
import ServiceLifecycle
import Synchronization

package final class DayNumbering: Service {
    /// How many orders are numbered in one transaction.
    static let page = 50
    /// How many looks in a row may find today without its row before the log says so.
    private static let patience = 10
    /// How many orders that can't be written are remembered, so that the log names each once.
    private static let failureLimit = 1_000

    private struct State {
        var looksWithoutRow = 0
        var failed: Set<OrderID> = []
    }

    private let database: ShopDatabase
    private let staffDatabase: ShopDatabase
    private let logger: Logger
    private let state = Mutex(State())
    private let poller = Poller()

    /// - Parameter staffDatabase: Writes the rows of days: an operator may have inserted the same key in an open
    ///   transaction, and no statement of a guest may wait behind one that waits for it.
    init(database: ShopDatabase, staffDatabase: ShopDatabase, logger: Logger) {
        (self.database, self.staffDatabase, self.logger) = (database, staffDatabase, logger)
    }

    /// Looks once a second until the server shuts down.
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
            logger.debug("the day's numbers can't be prepared", metadata: ["reason": "\(error)"])
        }
    }

    private func noteRow(isThere: Bool) {
        let looks = state.withLock { state in
            state.looksWithoutRow = isThere ? 0 : state.looksWithoutRow + 1
            return state.looksWithoutRow
        }
        if looks == Self.patience {
            logger.warning(
                "orders have no number of the day: the business day has no row in day_numbers, and it can't be written"
            )
        }
    }

    /// Page by page, so that locked orders, and orders that can't be written, keep no other order from its number.
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

    /// A failure of one page keeps no other page from its numbers.
    private func number(_ orders: [UnnumberedOrder]) async {
        do throws(DatabaseFault) { note(failed: try await database.number(orders.map(\.id))) } catch {
            logger.debug("orders can't be numbered", metadata: ["reason": "\(error)"])
        }
    }

    private func note(failed: [OrderID]) {
        guard !failed.isEmpty else { return }
        let new = state.withLock { state in
            failed.filter { state.failed.count < Self.failureLimit && state.failed.insert($0).inserted }
        }
        for order in new {
            logger.error("an order can't be written and has no number of the day", metadata: ["order": "\(order)"])
        }
    }
}
