// The life of one connection of a pool, on its thread: connect, serve, lose, wait a little, again. Started by PostgresPool.run.
// Read next: Connection/Opening.swift, Connection/ConnectionLoop.swift.
import Logging

extension PostgresPool {
    /// How often a read is sent again because its connection was lost. A restart of the server takes the connections away one after the other;
    /// a statement that crashes the server must not do so for ever.
    private static let lossLimit = 4

    /// Keeps one connection open until the pool ends.
    func keepOpen(_ index: Int) {
        var backoff = Backoff()
        let opening = Opening(configuration.connection, statementTimeout: configuration.statementTimeout)
        while beginConnecting(index) {
            do {
                let (session, backend) = try opening.open(logger: logger)
                guard serveStatements(index) else { return }
                let openedAt = ContinuousClock.now
                serve(index, session, backend)
                // One that is lost at once every time must not be reopened without a pause.
                if ContinuousClock.now - openedAt > .seconds(1) { backoff = Backoff() }
            } catch {
                noteDown(index, error.reason)
                logger.debug("can't connect: \(error.reason)", metadata: ["connection": "\(index)"])
            }
            if state.withLock({ $0.phase == .running }) { mailboxes[index].pause(for: backoff.next()) }
        }
    }

    /// Serves until the connection ends, and finds a place for what it left.
    private func serve(_ index: Int, _ session: Session, _ backend: Backend) {
        let loop = ConnectionLoop(
            session, mailboxes[index], silenceLimit: configuration.answerLimit, onUnresponsive: { self.moveOn(from: index, $0) })
        switch loop.run() {
        case .closed:
            noteDown(index, "closed")
        case .lost(let loss, let inFlight, let unsent):
            noteDown(index, loss.reason)
            let level: Logger.Level = state.withLock { $0.phase == .running } ? .warning : .debug
            logger.log(
                level: level, "connection lost: \(loss.reason)", metadata: ["connection": "\(index)", "inFlight": "\(inFlight.count)"])
            if loss.timedOut { endLater(backend) }
            for request in inFlight {
                guard !request.operation.text.isWrite, request.losses < Self.lossLimit, !loss.timedOut else {
                    request.refuse(loss.asPostgresError(mayHaveCommitted: request.operation.text.isWrite))
                    continue
                }
                var request = request
                request.losses += 1
                assign(request)
            }
            for request in unsent { assign(request) }
        }
    }

    /// Whether the thread is to connect; if not, it has ended.
    private func beginConnecting(_ index: Int) -> Bool {
        let isRunning = state.withLock { state in
            state.slots[index] = state.phase == .running ? .connecting : .ended
            return state.phase == .running
        }
        if !isRunning { openGateIfEnded() }
        return isRunning
    }

    /// The connection is open, and those who waited get it; false when the pool has ended in the meantime.
    private func serveStatements(_ index: Int) -> Bool {
        onOpen()
        guard mailboxes[index].open() else { return false }
        let (isRunning, waiting) = state.withLock { state -> (Bool, [Request]) in
            guard state.phase == .running else { return (false, []) }
            state.slots[index] = .open
            return (true, state.takeWaiting())
        }
        guard isRunning else {
            // Between the two locks somebody may have put a statement in; it is refused now.
            for request in mailboxes[index].close() { assign(request) }
            return false
        }
        for request in waiting { assign(request) }
        reportHealth()
        return true
    }

    /// Nobody waits behind a statement that takes long while another connection has time.
    private func moveOn(from index: Int, _ copies: [Request]) -> Bool {
        let isAnotherFree = mailboxes.contains { $0.isOpen.load(ordering: .acquiring) && !$0.isUnresponsive.load(ordering: .relaxed) }
        guard isAnotherFree else { return false }
        for request in mailboxes[index].handBack() + copies { assign(request) }
        return true
    }

    private func noteDown(_ index: Int, _ reason: String) {
        state.withLock { state in
            if state.slots[index] != .ended { state.slots[index] = .connecting }
            state.reason = reason
        }
        reportHealth()
    }
}
