// The number of open orders, counted about once a second in the background, so that no checkout has to count them.
import Database
import Logging
import Ordering
import ServiceLifecycle
import Synchronization

/// How busy the kitchen is.
package final class KitchenLoad: Service {
    private let database: ShopDatabase
    private let logger: Logger
    private let counted = Mutex(0)

    /// Counts the orders of `database`.
    package init(database: ShopDatabase, logger: Logger) { (self.database, self.logger) = (database, logger) }

    /// The number of open orders that affect an estimate.
    package var openOrders: Int { counted.withLock { $0 } }

    /// Counts once a second. Keeps the last count while the database is unreachable.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do throws(DatabaseFault) {
                    let count = try await self.database.countOpenOrders()
                    self.counted.withLock { $0 = count }
                } catch {
                    self.logger.debug("open orders can't be counted", metadata: ["reason": "\(error)"])
                }
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }
}
