// The one connection of a server that listens for what the database announces with NOTIFY: the menu's changes, the orders' steps.
// Run as a service by RunningShop. A listener is told when listening begins, for what was announced before that is lost: it reads again
// what it follows. Read next: Menu/CurrentMenu.swift, Orders/OrderWatch.swift and Staff/OrderBoard.swift, which listen.
import Database
import Logging
import ServiceLifecycle

/// Someone who follows what is announced. The calls come one after another and must not block.
protocol AnnouncementListener: Sendable {
    /// From now on nothing is missed; until now anything may have been.
    func listeningBegan()
    /// Until it begins again nothing is heard.
    func listeningEnded()
    /// Something was announced.
    func announced(_ announcement: Announcement)
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
            var (pause, failures) = (Duration.milliseconds(50), 0)
            while !Task.isCancelled {
                // A connection that stood and was lost is tried again at once, one that can't be had ever more slowly.
                if await self.listen(failures) {
                    (pause, failures) = (.milliseconds(50), 0)
                } else {
                    (pause, failures) = (min(pause * 2, .seconds(2)), failures + 1)
                }
                try? await Task.sleep(for: pause)
            }
        }
    }

    /// Whether it could listen before the connection was lost.
    private func listen(_ failures: Int) async -> Bool {
        do {
            let listening = try await Listening.begin(at: url, logger: logger)
            if failures > Self.patience { logger.notice("listening for announcements again") }
            for listener in listeners { listener.listeningBegan() }
            await listening.hear { announcement in
                for listener in listeners { listener.announced(announcement) }
            }
            for listener in listeners { listener.listeningEnded() }
            await listening.end()
            return true
        } catch {
            // All goes on by looking each second. An outage, of which the pool tells, is over sooner.
            let level: Logger.Level = failures == Self.patience ? .warning : .debug
            logger.log(level: level, "not listening for announcements", metadata: ["reason": "\(error)"])
            return false
        }
    }
}
