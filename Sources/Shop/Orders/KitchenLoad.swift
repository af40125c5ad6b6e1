// How busy the kitchen is, looked at about once a second in the background so that no checkout has to count orders; and whatever comes up meanwhile gets
// its number of the day. Run as a service by RunningShop; Web puts the load into each draft. The rule is Ordering's Kitchen.
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

    /// How many orders the kitchen has to do with, of the newest 100.
    package var openOrders: Int { counted.withLock { $0 } }

    /// Looks once a second; while the database is away the newest count stands.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do throws(DatabaseFault) {
                    let orders = try await self.database.loadKitchenOrders()
                    self.counted.withLock { $0 = orders.openCount }
                    for order in orders.unnumbered { try await self.database.number(order) }
                } catch {
                    self.logger.debug("the kitchen's orders can't be read or numbered", metadata: ["reason": "\(error)"])
                }
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }
}
