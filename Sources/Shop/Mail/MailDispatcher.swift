// Sends the mails that are due, and records the outcome of each.
import Database
import Logging
import Mail
import Metrics
import Ordering
import Synchronization

/// Sends mails one after the other.
final class MailDispatcher: Sendable {
    private struct State {
        /// The number of consecutive failures of the connection or of the shop's account.
        var consecutiveFailures = 0
        /// The end of the pause after a failure.
        var pauseEnds: ContinuousClock.Instant?
        var health = ComponentHealth.healthy
        /// Whether the mail server rejects the shop's account. Only an accepted mail ends this.
        var isAccountRefused = false
        /// Whether the mail server accepted a mail and has not rejected the account since.
        var isAccountProven = false
    }

    private let configuration: MailConfiguration
    private let client: SMTPClient
    private let database: ShopDatabase
    private let menu: CurrentMenu
    private let metrics: any MetricsFactory
    private let logger: Logger
    private let onHealthChange: @Sendable (ComponentHealth) -> Void
    private let state = Mutex(State())

    init(
        _ configuration: MailConfiguration, database: ShopDatabase, menu: CurrentMenu, metrics: any MetricsFactory,
        logger: Logger,
        onHealthChange: @escaping @Sendable (ComponentHealth) -> Void
    ) {
        (self.configuration, self.database, self.menu) = (configuration, database, menu)
        (self.metrics, self.logger, self.onHealthChange) = (metrics, logger, onHealthChange)
        client = SMTPClient(configuration.server, limits: configuration.limits)
    }

    /// Sends the mails that are due, until the server fails. Returns whether more are due.
    /// - Parameter now: The time by the database's clock.
    func send(over mails: OrderMailStore, at now: Instant, limit: Int) async throws(DatabaseFault) -> Bool {
        guard !isPaused, let menu = menu.current?.menu else { return false }
        let writer = OrderMailComposer(
            from: configuration.sender, publicURL: configuration.publicURL, language: menu.languages.own,
            zone: menu.terms.zone)
        let due = try await mails.loadDue(limit: limit)
        for mail in due {
            if Task.isCancelled || isPaused { return false }
            guard mail.enteredAt.advanced(by: configuration.retryPeriod) > now else {
                try await mails.markFailed(mail, .expired)
                count("expired")
                continue
            }
            guard let order = try await order(mail.orderID),
                let message = writer.message(for: order, state: mail.state, since: mail.enteredAt)
            else {
                try await mails.markFailed(mail, .unwritable)
                count("unwritable")
                continue
            }
            let pause = MailConfiguration.retryDelay(
                after: mail.attempts + 1, first: configuration.firstRetryDelay, longest: configuration.longestRetryDelay
            )
            switch try await mails.beginAttempt(mail, nextIn: pause) {
            case .begun: break
            case .skipped: continue
            case .limited:
                count("limited")
                logger.info("a mail is not sent, because its address had five within an hour")
                continue
            }
            let outcome = await client.send(message)
            // A separate task, so that a shutdown does not cancel it: the next attempt depends on this record.
            let noted = await Task { () -> Result<Void, DatabaseFault> in
                do throws(DatabaseFault) { return .success(try await self.note(outcome, of: mail, over: mails)) } catch
                {
                    return .failure(error)
                }
            }.value
            recordOutcome(outcome, of: mail)
            try noted.get()
        }
        return due.count == limit
    }

    private func note(_ outcome: SMTPOutcome, of mail: DueOrderMail, over mails: OrderMailStore)
        async throws(DatabaseFault)
    {
        switch outcome {
        case .accepted: try await mails.markSent(mail)
        case .rejected(let answer): try await mails.markFailed(mail, .refused, answer: answer.text)
        case .deferred(let answer), .accountRejected(let answer): try await mails.postpone(mail, answer.text)
        case .interrupted(let reason): try await mails.postpone(mail, reason)
        case .unreachable, .accessDenied: try await mails.release(mail)
        }
        switch outcome {
        // The guest may have received the mail, so the attempt counts for the address.
        case .accepted, .interrupted: break
        case .rejected, .deferred, .accountRejected, .unreachable, .accessDenied: try await mails.uncountAttempt(mail)
        }
    }

    private func recordOutcome(_ outcome: SMTPOutcome, of mail: DueOrderMail) {
        switch outcome {
        case .accepted:
            count("sent")
            recordAcceptedMail()
        case .accountRejected(let answer):
            count("account_refused")
            recordAccountRejection(
                "\(configuration.server) refuses the shop's account: \(answer.codes)", isRetry: mail.attempts > 0)
        case .accessDenied(let reason):
            count("account_refused")
            recordAccountRejection(reason, isRetry: false)
        case .rejected(let answer):
            count("refused")
            logger.warning(
                "the mail server rejected a mail permanently: see failed_at in order_mails",
                metadata: ["answer": "\(answer.codes)"])
            recordReply()
        case .deferred:
            count("postponed")
            recordReply()
        case .interrupted(let reason):
            count("postponed")
            recordFailure(reason)
        case .unreachable(let reason):
            count("unreachable")
            recordFailure(reason)
        }
    }

    /// The order; nil if it does not exist or can't be decoded. Such an order delays no other mail.
    private func order(_ id: OrderID) async throws(DatabaseFault) -> Order? {
        do throws(DatabaseFault) { return try await database.loadOrder(id) } catch {
            guard error.kind == .undecodable else { throw error }
            return nil
        }
    }

    private var isPaused: Bool { state.withLock { $0.pauseEnds.map { .now < $0 } ?? false } }

    /// Whether the mail server rejects the shop's account.
    var isAccountRejected: Bool { state.withLock { $0.isAccountRefused } }

    /// Resets the state of the mail server, because another server of the shop sends the mails.
    func reset() {
        state.withLock { state in
            (state.consecutiveFailures, state.pauseEnds, state.isAccountRefused, state.isAccountProven) = (
                0, nil, false, false
            )
            report(.healthy, in: &state)
        }
    }

    private func recordAcceptedMail() {
        state.withLock { state in
            (state.consecutiveFailures, state.pauseEnds, state.isAccountRefused, state.isAccountProven) = (
                0, nil, false, true
            )
            report(.healthy, in: &state)
        }
    }

    /// Records that the mail server rejected or deferred a mail, but not because of the account. This does not end a
    /// known account problem, because the mail server may reply before it checks the account.
    private func recordReply() {
        state.withLock { state in
            guard !state.isAccountRefused else { return }
            (state.consecutiveFailures, state.pauseEnds) = (0, nil)
            report(.healthy, in: &state)
        }
    }

    /// Pauses as after an unreachable server, and reports the fault at once. A repeated rejection of one mail, while
    /// others are accepted, is not reported again.
    /// - Parameter isRetry: Whether this mail was tried before.
    private func recordAccountRejection(_ reason: String, isRetry: Bool) {
        if Task.isCancelled { return }
        state.withLock { state in
            let isKnown = isRetry && state.isAccountProven
            state.isAccountProven = false
            pause(&state)
            guard !isKnown else { return }
            state.isAccountRefused = true
            report(.failing(reason), in: &state)
        }
    }

    /// Reports the second failure in a row: a single one may be a lost connection.
    private func recordFailure(_ reason: String) {
        // The shutdown itself broke the connection.
        if Task.isCancelled { return }
        state.withLock { state in
            pause(&state)
            if state.consecutiveFailures > 1 { report(.failing(reason), in: &state) }
        }
    }

    private func pause(_ state: inout State) {
        state.consecutiveFailures += 1
        state.pauseEnds =
            .now
            + MailConfiguration.retryDelay(
                after: state.consecutiveFailures, first: configuration.firstReconnectDelay,
                longest: configuration.longestReconnectDelay)
    }

    /// Reports each change once, whatever the reason. Runs under the lock, which keeps the reports in order.
    private func report(_ health: ComponentHealth, in state: inout State) {
        switch (state.health, health) {
        case (.healthy, .healthy), (.failing, .failing): return
        case (.healthy, .failing), (.failing, .healthy):
            state.health = health
            onHealthChange(health)
        }
    }

    private func count(_ outcome: String) {
        Counter(label: "welms_mails_total", dimensions: [("outcome", outcome)], factory: metrics).increment()
    }
}
