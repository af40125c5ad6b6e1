// The server's only connection that listens for PostgreSQL notifications: changes of the menu, of orders and of staff.
// Observers reload their data when listening begins, because earlier notifications are lost.
import Database
import Logging
import ServiceLifecycle

/// Receives notifications. The calls come one after another and must not block.
protocol NotificationObserver: Sendable {
    /// Listening began. Earlier notifications may have been lost.
    func listeningBegan()
    /// The connection was lost: no notification arrives until listening begins again.
    func listeningEnded()
    /// A notification arrived.
    func received(_ announcement: DatabaseNotification)
}

/// Listens for notifications, and reconnects when the connection is lost.
final class NotificationListener: Service {
    /// How many attempts may fail in a row before the log warns. With the pauses below, they take about 53 seconds.
    private static let failureLimit = 30

    private let url: String
    private let listeners: [any NotificationObserver]
    private let logger: Logger

    init(url: String, listeners: [any NotificationObserver], logger: Logger) {
        (self.url, self.listeners, self.logger) = (url, listeners, logger)
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var (pause, failures) = (Duration.milliseconds(50), 0)
            while !Task.isCancelled {
                // Retries at once after an established connection was lost. Backs off when none can be opened.
                if await self.listen(failures) {
                    (pause, failures) = (.milliseconds(50), 0)
                } else {
                    (pause, failures) = (min(pause * 2, .seconds(2)), failures + 1)
                }
                try? await Task.sleep(for: pause)
            }
        }
    }

    /// Returns whether listening began before the connection was lost.
    private func listen(_ failures: Int) async -> Bool {
        do {
            let listening = try await NotificationConnection.connect(to: url, logger: logger)
            if failures > Self.failureLimit { logger.notice("listening for notifications again") }
            for listener in listeners { listener.listeningBegan() }
            await listening.forEachNotification { announcement in
                for listener in listeners { listener.received(announcement) }
            }
            for listener in listeners { listener.listeningEnded() }
            await listening.close()
            return true
        } catch {
            // Polling each second replaces notifications. The pool reports an outage earlier than this.
            let level: Logger.Level = failures == Self.failureLimit ? .warning : .debug
            logger.log(
                level: level, "not listening for notifications: the server polls instead",
                metadata: ["reason": "\(error)"])
            return false
        }
    }
}
