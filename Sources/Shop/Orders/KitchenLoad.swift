// How busy the kitchen is, counted about once a second in the background so that no checkout has to count orders.
// Run as a service by RunningShop; Web puts the load into each draft. The rule is Ordering's Kitchen.
import Database
import Logging
import Ordering
import ServiceLifecycle
import Synchronization

/// What the kitchen has to do.
package final class KitchenLoad: Service {
    private let database: ShopDatabase
    private let logger: Logger
    private let counted = Mutex(0)

    package init(database: ShopDatabase, logger: Logger) { (self.database, self.logger) = (database, logger) }

    /// How many orders the kitchen has to do with, as far as they change an estimate.
    package var openOrders: Int { counted.withLock { $0 } }

    /// Looks once a second; while the database is away the newest count stands.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do throws(DatabaseFault) {
                    let count = try await self.database.countOpenOrders()
                    self.counted.withLock { $0 = count }
                } catch {
                    self.logger.debug("the kitchen's orders can't be counted", metadata: ["reason": "\(error)"])
                }
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }
}
