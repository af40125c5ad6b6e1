// Mails guests about their orders: finds unsent mails, sends them and records the outcome. Only the server whose
// session holds an advisory lock does so. It uses a separate connection and thread, so no checkout waits.
import Database
import Logging
import Mail
import Metrics
import Ordering
import ServiceLifecycle
import Synchronization

/// Delivers at least once: after a crash between sending and recording, a mail is sent again with the same Message-ID.
package final class OrderMailer: Service {
    /// The maximum number of mails that one round sends.
    private static let batch = 100
    /// The maximum number of placements that one statement reads, and of steps.
    private static let page = 1000

    private struct State {
        var turn: MailSession?
        var search: MailSearch?
        /// How long the oldest mail has waited by the database's clock, and when that was read.
        var waiting: (for: Duration, at: ContinuousClock.Instant)?
    }

    /// The session of this server, and whether it holds the lock.
    private struct MailSession {
        let mails: OrderMailStore
        var isMailing: Bool
    }

    private let url: String
    private let configuration: MailConfiguration
    private let lateness: Duration
    private let logger: Logger
    private let sending: MailDispatcher
    private let state = Mutex(State())
    private let poller = Poller()

    init(
        _ configuration: MailConfiguration, url: String, database: ShopDatabase, menu: CurrentMenu, lateness: Duration,
        metrics: any MetricsFactory, logger: Logger, onHealthChange: @escaping @Sendable (ComponentHealth) -> Void
    ) {
        (self.url, self.configuration, self.lateness, self.logger) = (url, configuration, lateness, logger)
        sending = MailDispatcher(
            configuration, database: database, menu: menu, metrics: metrics, logger: logger,
            onHealthChange: onHealthChange)
    }

    /// For how many seconds the oldest mail has waited: 0 if no mail waits, nil if another server mails.
    package var oldestWaitingSeconds: Int64? {
        state.withLock { state in
            guard state.turn?.isMailing == true else { return nil }
            return state.waiting.map { ($0.for + (ContinuousClock.now - $0.at)).components.seconds } ?? 0
        }
    }

    /// Whether the mail server rejects the shop's account.
    package var isAccountRejected: Bool { sending.isAccountRejected }

    /// Polls once a second until the server shuts down. Placements send no notification, and the mails of most steps
    /// are due ten seconds later.
    package func run() async throws {
        await poller.run {
            do throws(DatabaseFault) { try await self.round() } catch {
                self.logger.debug("unsent mails can't be read", metadata: ["reason": "\(error)"])
                await self.closeSession()
            }
        }
        await closeSession()
    }

    private func round() async throws(DatabaseFault) {
        guard let mails = try await mailingSession() else { return }
        let (now, oldest) = try await mails.loadOldestPending()
        let known: MailSearch? = state.withLock { state in
            state.waiting = oldest.map { (.microseconds(max(0, now.microseconds - $0.microseconds)), .now) }
            return state.search
        }
        guard var search = known else { return }
        try await search.storeNewMails(over: mails, pageSize: Self.page)
        let searched = search
        state.withLock { $0.search = searched }
        let hasMore = try await sending.send(over: mails, at: now, limit: Self.batch)
        if !searched.isComplete || hasMore { poller.trigger() }
    }

    /// The session; nil if another server sends the mails.
    private func mailingSession() async throws(DatabaseFault) -> OrderMailStore? {
        var turn: MailSession
        if let known = state.withLock({ $0.turn }) {
            turn = known
        } else {
            turn = MailSession(mails: try await OrderMailStore.connect(url, logger: logger), isMailing: false)
        }
        if !turn.isMailing, try await turn.mails.acquireLock() {
            let since = try await turn.mails.loadMailingStart()
            turn.isMailing = true
            logger.info("this server sends the mails to guests")
            state.withLock {
                $0.search = MailSearch(since: since, period: configuration.retryPeriod, lateness: lateness)
            }
        }
        // The server that sends the mails also reports the health of the mail server.
        if !turn.isMailing { sending.reset() }
        let held = turn
        state.withLock { $0.turn = held }
        return held.isMailing ? held.mails : nil
    }

    private func closeSession() async {
        let turn = state.withLock { state in
            defer { (state.turn, state.search, state.waiting) = (nil, nil, nil) }
            return state.turn
        }
        await turn?.mails.close()
    }
}
