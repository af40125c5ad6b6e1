// Prunes expired data at intervals. A server skips a round while another server prunes.
import Database
import Logging
import ServiceLifecycle

/// Prunes expired data at intervals.
package struct PruningTimer: Service {
    private let pruning: Pruning
    private let every: Duration
    private let logger: Logger

    /// The delay of the first round, so that a starting server is free for its guests.
    private static let firstDelay = Duration.seconds(600)

    /// Makes a timer with the interval `every`.
    package init(_ pruning: Pruning, every: Duration, logger: Logger) {
        (self.pruning, self.every, self.logger) = (pruning, every, logger)
    }

    /// Prunes until the server shuts down. A failed round is retried at the next interval.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            var wait = min(every, Self.firstDelay)
            while (try? await Task.sleep(for: wait)) != nil {
                wait = every
                do {
                    guard let outcome = try await pruning.run() else { continue }
                    log(outcome)
                } catch {
                    logger.warning(
                        "the pruning failed and is tried again in \(every)", metadata: ["reason": "\(error)"])
                }
            }
        }
    }

    private func log(_ outcome: Pruning.Outcome) {
        var counts: Logger.Metadata = ["emptied_baskets": "\(outcome.emptiedBaskets)"]
        for kind in Pruning.Kind.allCases where kind != .orders {
            counts[kind.rawValue] = "\(outcome.deletedRows[kind, default: 0])"
        }
        counts["replaced_orders"] = "\(outcome.replacedOrders)"
        logger.info("pruned", metadata: counts)
        for (kind, fault) in outcome.failures.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            logger.warning(
                "the pruning of one kind of data failed and is tried again in \(every)",
                metadata: ["kind": "\(kind.rawValue)", "reason": "\(fault)"])
        }
    }
}
