// Order numbers that this server has drawn in advance, so that no checkout draws and permutes them in PostgreSQL.
// Without a number at hand (at the start, after a reconnect or a failed draw), place_orders draws it. On Citus, where
// workers have no sequence, the server draws it before the call.
//
// A promoted standby may lack the last draws and repeat their values. So a PostgreSQL uses only numbers that it has
// drawn itself: place_orders compares pg_postmaster_start_time(), which differs after a failover or a restart. Workers
// of a Citus cluster cannot compare it (ManyMachines.md says what to do after a failover).
//
// The recovery after a crashed session keeps this time, but a draw is durable (DrawOrderNumbers.swift). In addition,
// each new connection discards the numbers. Draws and batches that are under way then have an old generation, and their
// numbers are not used.
import Database
import Logging
import ServiceLifecycle
import Synchronization

/// Order numbers at hand. Their count grows with the demand.
final class OrderNumberRange: Sendable {
    /// Numbers for the orders of a batch. No other batch gets them.
    struct Portion: Sendable {
        /// Without numbers: `place_orders` draws them.
        static let empty = Portion(numbers: [], isCurrent: { true })

        let numbers: [DrawnOrderNumber]
        /// Whether the numbers may still be used.
        let isCurrent: @Sendable () -> Bool
    }

    private struct Storage {
        var numbers: [DrawnOrderNumber] = []
        /// How many orders needed a number in this generation.
        var demand = 0
        /// How often the numbers were discarded.
        var generation = 0

        /// How many numbers to draw now. Draws before the numbers run out, and not for every order.
        var missingCount: Int {
            let goal = min(OrderNumberRange.minimum + demand, OrderNumberRange.limit)
            return numbers.count <= goal / 2 ? goal - numbers.count : 0
        }
    }

    /// How many numbers are at hand when few orders were placed. Discarded numbers are lost, and the sequence has only
    /// 100 million values. So connections that are opened every few seconds must not discard many.
    private static let minimum = 8
    /// The maximum number of numbers at hand: 60 ms at 8,000 orders a second.
    private static let limit = 512
    private static let pauseAfterFailure = Duration.seconds(1)

    private let storage = Mutex(Storage())
    private let poller = Poller()

    /// Removes up to `count` numbers. Each is returned once, so it is sent for one order at most.
    func take(_ count: Int) -> Portion {
        let (numbers, generation, isLow) = storage.withLock { storage in
            let taken = Array(storage.numbers.suffix(count))
            storage.numbers.removeLast(taken.count)
            storage.demand = min(storage.demand + count, Self.limit)
            return (taken, storage.generation, storage.missingCount > 0)
        }
        if isLow { poller.trigger() }
        return Portion(numbers: numbers) { numbers.isEmpty || self.generation == generation }
    }

    /// The current generation. Read it before a draw.
    var generation: Int { storage.withLock(\.generation) }

    /// How many numbers are at hand.
    var count: Int { storage.withLock(\.numbers.count) }

    /// Adds drawn numbers, unless the numbers were discarded since `generation`.
    func store(_ numbers: [DrawnOrderNumber], since generation: Int) {
        storage.withLock { storage in
            guard storage.generation == generation else { return }
            storage.numbers += numbers
        }
    }

    /// Discards all numbers and begins a new generation.
    func removeAll() { storage.withLock { $0 = Storage(generation: $0.generation + 1) } }

    /// Draws numbers when few are left, until the server shuts down.
    fileprivate func run(drawingFrom database: ShopDatabase, logger: Logger) async {
        await poller.run(isDue: { _ in false }) {
            let (generation, count) = self.storage.withLock { ($0.generation, $0.missingCount) }
            guard count > 0 else { return }
            do throws(DatabaseFault) {
                self.store(try await database.drawOrderNumbers(count), since: generation)
            } catch {
                // OrderingMonitor reports a missing privilege. Other causes also fail the checkouts.
                logger.debug("order numbers can't be drawn in advance", metadata: ["reason": "\(error)"])
                try? await Task.sleep(for: Self.pauseAfterFailure)
            }
        }
    }
}

/// Draws the numbers of a range.
struct OrderNumberService: Service {
    let range: OrderNumberRange
    let database: ShopDatabase
    let logger: Logger

    func run() async { await range.run(drawingFrom: database, logger: logger) }
}
