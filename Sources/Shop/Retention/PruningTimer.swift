// Prunes again and again while the server runs; several servers on one database take turns. Run as a service by the program.
import Database
import Logging
import ServiceLifecycle

package struct PruningTimer: Service {
    private let pruning: BasketPruning
    private let every: Duration
    private let logger: Logger

    /// The first round waits ten minutes, so that a server that starts has its strength for its guests.
    private static let first = Duration.seconds(600)

    package init(_ pruning: BasketPruning, every: Duration, logger: Logger) {
        (self.pruning, self.every, self.logger) = (pruning, every, logger)
    }

    /// Prunes until the server shuts down. A round that fails is tried again the next time.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            var wait = min(every, Self.first)
            while (try? await Task.sleep(for: wait)) != nil {
                wait = every
                do {
                    guard let outcome = try await pruning.run() else { continue }
                    logger.info(
                        "pruned",
                        metadata: [
                            "abandonedBaskets": "\(outcome.abandoned)", "emptiedBaskets": "\(outcome.emptied)",
                            "audit": "\(outcome.forgotten)",
                        ])
                } catch {
                    logger.warning("the pruning failed and is tried again in \(every)", metadata: ["reason": "\(error)"])
                }
            }
        }
    }
}
