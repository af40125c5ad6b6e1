// Tells guests of their orders by mail: finds what was not told yet, has it sent, and notes that it was. Of the servers of a shop one does, whose
// session holds the turn. No checkout waits for it: it reads what was placed, over a connection and a thread of its own. Run as a service by
// RunningShop. Read next: Sources/Database/Mail/OrderMails.swift, Sources/Mail/Messages/OrderMail.swift, SendingMails.swift.
import Database
import Logging
import Mail
import Metrics
import Ordering
import ServiceLifecycle
import Synchronization

/// Mails at least once: who dies between the mail server's yes and the note of it leaves a mail that the next one sends again, by the same Message-ID.
package final class OrderMailer: Service {
    /// How many are noted, and how many are sent, in one round.
    private static let batch = 100

    private struct State {
        var turn: Turn?
        var search: MailSearch?
        /// Since when the oldest mail waits, by the database's clock, as it was seen at a moment of ours.
        var waiting: (for: Duration, at: ContinuousClock.Instant)?
    }

    /// The session of this server, and whether it mails.
    private struct Turn {
        let mails: OrderMails
        var isOurs: Bool
    }

    private let url: String
    private let configuration: MailConfiguration
    private let lateness: Duration
    private let logger: Logger
    private let sending: SendingMails
    private let state = Mutex(State())
    private let poller = Poller()

    init(
        _ configuration: MailConfiguration, url: String, database: ShopDatabase, menu: CurrentMenu, lateness: Duration,
        metrics: any MetricsFactory, logger: Logger, onHealthChange: @escaping @Sendable (Health) -> Void
    ) {
        (self.url, self.configuration, self.lateness, self.logger) = (url, configuration, lateness, logger)
        sending = SendingMails(
            configuration, database: database, menu: menu, metrics: metrics, logger: logger, onHealthChange: onHealthChange)
    }

    /// For how many seconds the oldest mail has waited; 0 where none does, nil where another server mails.
    package var oldestWaitingSeconds: Int64? {
        state.withLock { state in
            guard state.turn?.isOurs == true else { return nil }
            return state.waiting.map { ($0.for + (ContinuousClock.now - $0.at)).components.seconds } ?? 0
        }
    }

    /// Whether the mail server refuses the account that this server mails with.
    package var isAccountRefused: Bool { sending.isAccountRefused }

    /// Mails until the server shuts down: once a second, and at once where a step is announced.
    package func run() async throws {
        await poller.run {
            do throws(DatabaseFault) { try await self.round() } catch {
                self.logger.debug("mails can't be looked for", metadata: ["reason": "\(error)"])
                await self.endTurn()
            }
        }
        await endTurn()
    }

    private func round() async throws(DatabaseFault) {
        guard let mails = try await ownTurn() else { return }
        let (now, oldest) = try await mails.waiting()
        let look: (after: Instant, search: MailSearch)? = state.withLock { state in
            state.waiting = oldest.map { (.microseconds(max(0, now.microseconds - $0.microseconds)), .now) }
            guard var search = state.search else { return nil }
            return (search.begin(at: now), search)
        }
        guard var look else { return }
        let begin = ContinuousClock.now
        let isCut = try await mails.find(after: look.after, limit: Self.batch)
        let took = ContinuousClock.now - begin
        if !isCut { look.search.end(at: now) }
        state.withLock { $0.search = look.search }
        let isMore = try await sending.send(over: mails, at: now, limit: Self.batch)
        // The day of a large shop is looked through in a second: the database has as long a rest then.
        if took > .milliseconds(100) { try? await Task.sleep(for: took) }
        if isCut || isMore { poller.ask() }
    }

    /// The session, if it is this server's turn.
    private func ownTurn() async throws(DatabaseFault) -> OrderMails? {
        var turn: Turn
        if let known = state.withLock({ $0.turn }) {
            turn = known
        } else {
            turn = Turn(mails: try await OrderMails.connect(url, logger: logger), isOurs: false)
        }
        if !turn.isOurs, try await turn.mails.takeTurn() {
            let since = try await turn.mails.begin()
            turn.isOurs = true
            logger.info("this server mails to guests")
            state.withLock { $0.search = MailSearch(since: since, patience: configuration.patience, lateness: lateness) }
        }
        // Another one does: how the mail server is to it, it tells itself.
        if !turn.isOurs { sending.rest() }
        let held = turn
        state.withLock { $0.turn = held }
        return held.isOurs ? held.mails : nil
    }

    private func endTurn() async {
        let turn = state.withLock { state in
            defer { (state.turn, state.search, state.waiting) = (nil, nil, nil) }
            return state.turn
        }
        await turn?.mails.close()
    }
}

extension OrderMailer: AnnouncementListener {
    func listeningBegan() { poller.ask() }
    func listeningEnded() {}
    func announced(_ announcement: Announcement) {
        guard case .orderMoved = announcement, state.withLock({ $0.turn?.isOurs == true }) else { return }
        poller.ask()
    }
}
