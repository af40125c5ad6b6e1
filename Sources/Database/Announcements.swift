// The one connection of a server that listens for what the database announces with NOTIFY: the menu's changes, the orders' steps.
// Run as a service by Shop. A listener is told when listening begins, for what was announced before that is lost: it reads again
// what it follows. Read next: Menu/CurrentMenu.swift, Orders/OrderWatch.swift and Staff/OrderBoard.swift, which listen.
import Logging
import Postgres
import ServiceLifecycle

/// Someone who follows a channel. The calls come one after another and must not block.
protocol AnnouncementListener: Sendable {
    /// The channel's name in `NOTIFY`.
    var channel: String { get }
    /// From now on nothing is missed; until now anything may have been.
    func listeningBegan()
    /// Until it begins again nothing is heard.
    func listeningEnded()
    /// Something was announced.
    func announced(_ payload: String)
}

/// Listens for as long as it runs, and connects again whenever the connection is lost.
final class Announcements: Service {
    /// How many tries may fail, in about 20 seconds, before the log says so.
    private static let patience = 30

    private let url: String
    private let listeners: [any AnnouncementListener]
    private let logger: Logger

    init(url: String, listeners: [any AnnouncementListener], logger: Logger) {
        (self.url, self.listeners, self.logger) = (url, listeners, logger)
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var (backoff, failures) = (Backoff(), 0)
            while !Task.isCancelled {
                // A connection that stood and was lost is tried again at once, one that can't be had ever more slowly.
                if await self.listen(failures) { (backoff, failures) = (Backoff(), 0) } else { failures += 1 }
                try? await Task.sleep(for: backoff.next())
            }
        }
    }

    /// Whether it could listen before the connection was lost.
    private func listen(_ failures: Int) async -> Bool {
        do {
            let connection = try await PostgresConnection.connect(
                url, sessionSettings: ["application_name": "welms listener"], logger: logger)
            do {
                for channel in Set(listeners.map(\.channel)) { try await connection.listen(to: channel) }
            } catch {
                await connection.close()
                throw error
            }
            if failures > Self.patience { logger.notice("listening for announcements again") }
            for listener in listeners { listener.listeningBegan() }
            for await notification in connection.notifications {
                for listener in listeners where listener.channel == notification.channel { listener.announced(notification.payload) }
            }
            for listener in listeners { listener.listeningEnded() }
            await connection.close()
            return true
        } catch {
            // All goes on by looking each second. An outage, of which the pool tells, is over sooner.
            let level: Logger.Level = failures == Self.patience ? .warning : .debug
            logger.log(level: level, "not listening for announcements", metadata: ["reason": "\(error)"])
            return false
        }
    }
}
