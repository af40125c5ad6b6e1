// The thread of one of a pool's connections: connects, executes statements, and reconnects after a pause.
import Logging

extension PostgresPool {
    /// How often a read is retried after its connection failed. A server restart closes the connections one by one, so
    /// one retry is not enough; a statement that crashes the server must not be retried forever.
    private static let readRetryLimit = 4

    /// Keeps one connection open until the pool ends.
    func runConnection(_ index: Int) {
        var backoff = Backoff()
        let opening = SessionOpener(configuration.connection, statementTimeout: configuration.statementTimeout)
        while beginConnecting(index) {
            do {
                let (session, backend) = try opening.open(logger: logger)
                guard markOpen(index) else { return }
                let openedAt = ContinuousClock.now
                serve(index, session, backend)
                // A connection that lasted for a second resets the delay. After one that failed sooner, the delay keeps
                // growing.
                if ContinuousClock.now - openedAt > .seconds(1) { backoff = Backoff() }
            } catch {
                markDisconnected(index, error.reason)
                logger.debug("can't connect: \(error.reason)", metadata: ["connection": "\(index)"])
            }
            if state.withLock({ $0.phase == .running }) { mailboxes[index].pause(for: backoff.next()) }
        }
    }

    /// Executes statements until the connection ends, then reassigns the unfinished ones.
    private func serve(_ index: Int, _ session: Session, _ backend: Backend) {
        let loop = ConnectionLoop(
            session, mailboxes[index], inactivityTimeout: configuration.answerLimit,
            onUnresponsive: { self.reassign(from: index, $0) })
        switch loop.run() {
        case .closed:
            markDisconnected(index, "closed")
        case .failed(let loss, let inFlight, let unsent):
            markDisconnected(index, loss.reason)
            let level: Logger.Level = state.withLock { $0.phase == .running } ? .warning : .debug
            logger.log(
                level: level, "connection lost: \(loss.reason)",
                metadata: ["connection": "\(index)", "inFlight": "\(inFlight.count)"])
            if loss.timedOut { terminateLater(backend) }
            for request in inFlight {
                guard !request.operation.text.isWrite, request.connectionFailureCount < Self.readRetryLimit,
                    !loss.timedOut
                else {
                    request.failUnlessCopy(loss.asPostgresError(mayHaveCommitted: request.operation.text.isWrite))
                    continue
                }
                var request = request
                request.connectionFailureCount += 1
                assign(request)
            }
            for request in unsent { assign(request) }
        }
    }

    /// Returns whether the thread should connect. Otherwise marks it as ended.
    private func beginConnecting(_ index: Int) -> Bool {
        let isRunning = state.withLock { state in
            state.slots[index] = state.phase == .running ? .connecting : .ended
            return state.phase == .running
        }
        if !isRunning { signalEndIfEnded() }
        return isRunning
    }

    /// Marks the connection as open and assigns the waiting statements. Returns false when the pool has ended.
    private func markOpen(_ index: Int) -> Bool {
        onOpen()
        guard mailboxes[index].open() else { return false }
        let (isRunning, waiting) = state.withLock { state -> (Bool, [QueuedStatement]) in
            guard state.phase == .running else { return (false, []) }
            state.slots[index] = .connected
            return (true, state.takeWaiting())
        }
        guard isRunning else {
            // A task may have submitted a statement after the mailbox opened. `assign` fails it, because the pool ends.
            for request in mailboxes[index].close() { assign(request) }
            return false
        }
        for request in waiting { assign(request) }
        reportHealth()
        return true
    }

    /// Gives the waiting statements and the copied reads of an unresponsive connection to other connections. Returns
    /// false if no other connection is responsive.
    private func reassign(from index: Int, _ copies: [QueuedStatement]) -> Bool {
        let isAnotherFree = mailboxes.contains {
            $0.isOpen.load(ordering: .acquiring) && !$0.isUnresponsive.load(ordering: .relaxed)
        }
        guard isAnotherFree else { return false }
        for request in mailboxes[index].removeAll() + copies { assign(request) }
        return true
    }

    private func markDisconnected(_ index: Int, _ reason: String) {
        state.withLock { state in
            if state.slots[index] != .ended { state.slots[index] = .connecting }
            state.reason = reason
        }
        reportHealth()
    }
}
