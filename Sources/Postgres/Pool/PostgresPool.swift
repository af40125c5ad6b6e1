// Connections to one database, each with a thread, on libpq. postgres-nio sends a statement only after the end of the
// one before, and has no multi-host URLs. Selects a second with 2 cores and 64 tasks: 245,000 to 380,000 with one Sync
// per burst, 165,000 with one Sync per statement, 124,000 to 179,000 with a Dispatch source per socket.
import Logging
import ServiceLifecycle
import Synchronization

/// A pool of connections to one database that are kept open and reconnected with back-off.
package final class PostgresPool: StatementRunner, Service {
    let configuration: PoolConfiguration
    let logger: Logger
    let mailboxes: [StatementQueue]
    let state: Mutex<PoolState>
    private let onHealthChange: @Sendable (PoolHealth) -> Void
    let onOpen: @Sendable () -> Void
    private let onAnswer: @Sendable (_ statement: String, PostgresError?) -> Void
    private let reportedHealth = Mutex(PoolHealth?.none)
    private let ended = OneTimeEvent()
    /// Signalled when a statement begins to wait for a connection.
    private let waitSignals = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    /// Server processes whose connection was abandoned and which may still hold locks.
    private let unresponsiveBackends = AsyncStream.makeStream(of: Backend.self, bufferingPolicy: .bufferingNewest(64))

    /// Creates a pool, which connects when it runs; statements wait until then. Throws when the process has no
    /// descriptor.
    /// - Parameters:
    ///   - onHealthChange: Called once per change, and for the first connection attempt. Must neither block nor use the
    ///     pool.
    ///   - onOpen: Called for each opened connection before its use, because it may lead to another server than the
    ///     last one. Must not block.
    ///   - onAnswer: Called with each statement's name and error, or nil on success, before its caller resumes.
    package init(
        _ configuration: PoolConfiguration, logger: Logger,
        onHealthChange: @escaping @Sendable (PoolHealth) -> Void = { _ in },
        onOpen: @escaping @Sendable () -> Void = {},
        onAnswer: @escaping @Sendable (_ statement: String, PostgresError?) -> Void = { _, _ in }
    ) throws(PostgresError) {
        let count = max(1, configuration.connections)
        var mailboxes: [StatementQueue] = []
        for _ in 0..<count { mailboxes.append(try StatementQueue(limit: max(1, configuration.queueLimit / count))) }
        (self.configuration, self.logger, self.mailboxes) = (configuration, logger, mailboxes)
        (self.onHealthChange, self.onOpen, self.onAnswer) = (onHealthChange, onOpen, onAnswer)
        state = Mutex(PoolState(connections: count))
    }

    /// Opens the connections and keeps them open. After a graceful shutdown it ends when every accepted statement has
    /// been answered; after a cancellation immediately. A pool can run once.
    package func run() async throws {
        let isFirst = state.withLock { state in
            defer { if state.phase == .idle { state.phase = .running } }
            return state.phase == .idle
        }
        guard isFirst else { throw PostgresError.unavailable("a pool can run only once") }
        do throws(PostgresError) {
            for index in mailboxes.indices { try startThread { self.runConnection(index) } }
        } catch {
            end(.abandoned)
            throw error
        }
        await withTaskCancellationOrGracefulShutdownHandlers {
            await withTaskGroup { group in
                group.addTask { await self.failExpiredStatements() }
                group.addTask { await self.terminateUnresponsiveBackends() }
                await self.ended.wait()
                group.cancelAll()
            }
        }
    }

    /// Assigns the query to a connection and waits for its result.
    package func perform<Output>(_ query: Query<Output>, _ parameters: Parameters) async throws(PostgresError) -> Output
    {
        if let fault = parameters.encodingError { throw fault }
        do {
            let output = try await query.submitAndWait { query in
                let now = ContinuousClock.now
                let answerBy = now + configuration.answerLimit
                assign(
                    QueuedStatement(
                        operation: query, sendDeadline: now + configuration.waitForConnection, answerDeadline: answerBy)
                )
            }
            if let name = query.text.name { onAnswer(name, nil) }
            return output
        } catch {
            if let name = query.text.name { onAnswer(name, error) }
            throw error
        }
    }

    /// Runs `body`, and its statements, on the thread of a connection while that is open. This saves the thread
    /// switches, which cost 10 µs each on an idle machine. Other statements of the connection wait while `body`
    /// computes.
    /// - Parameter index: Taken modulo the number of connections.
    package func onConnection(_ index: Int, _ body: @Sendable () async -> Void) async {
        let mailbox = mailboxes[index % mailboxes.count]
        await Self.$preferredMailbox.withValue(mailbox) {
            await withTaskExecutorPreference(mailbox) { await body() }
        }
    }

    /// The mailbox of the task's preferred connection.
    @TaskLocal private static var preferredMailbox: StatementQueue?

    /// Gives a statement to the task's preferred connection, or else to the open connection with the lowest load.
    /// Unresponsive connections come last. Without an open connection the statement waits, or fails if the queue is
    /// full.
    func assign(_ request: QueuedStatement) {
        if let mailbox = Self.preferredMailbox, mailboxes.contains(where: { $0 === mailbox }),
            !mailbox.isUnresponsive.load(ordering: .relaxed),
            mailbox.submit(request) == nil
        {
            return
        }
        while true {
            var least: (mailbox: StatementQueue, load: Int)?
            for mailbox in mailboxes where mailbox.isOpen.load(ordering: .acquiring) {
                let isUnresponsive = mailbox.isUnresponsive.load(ordering: .relaxed)
                let load = mailbox.load.load(ordering: .relaxed) + (isUnresponsive ? configuration.queueLimit : 0)
                if load < least?.load ?? .max { least = (mailbox, load) }
            }
            if let least {
                switch least.mailbox.submit(request) {
                case nil: return
                case .full: return request.failUnlessCopy(.overloaded)
                case .closed: continue
                }
            }
            switch state.withLock({ $0.enqueue(request, limit: configuration.queueLimit) }) {
            case .queued:
                waitSignals.continuation.yield()
                return
            case .refused(let error): return request.failUnlessCopy(error)
            case .connectionOpened: continue
            }
        }
    }

    // MARK: - Health and end

    /// How many connections are open and how many statements are in flight or waiting.
    package var usage: PoolUsage {
        let (open, waiting) = state.withLock { state in (state.slots.count { $0 == .connected }, state.waiting.count) }
        return PoolUsage(
            openConnections: open, inFlight: mailboxes.reduce(0) { $0 + $1.load.load(ordering: .relaxed) },
            waiting: waiting)
    }

    /// Reports the pool's health if it has changed. The lock keeps the reports in order.
    func reportHealth() {
        reportedHealth.withLock { reported in
            let health: PoolHealth? = state.withLock { state in
                if state.phase == .ending { return nil }
                return state.isOpen ? .healthy : .unavailable(state.reason)
            }
            guard let health, health.isServing != reported?.isServing else { return }
            reported = health
            onHealthChange(health)
        }
    }

    /// Rejects new statements and ends the threads, after the accepted statements or immediately. Does not wait for
    /// threads that are still connecting.
    private func end(_ phase: StatementQueue.Phase) {
        let waiting = state.withLock { state in
            state.phase = .ending
            for index in state.slots.indices where state.slots[index] == .connecting { state.slots[index] = .ended }
            return state.takeWaiting()
        }
        for mailbox in mailboxes { mailbox.end(phase) }
        for request in waiting { request.failUnlessCopy(.unavailable("the client is shutting down")) }
        signalEndIfEnded()
    }

    func signalEndIfEnded() { if state.withLock({ $0.hasEnded }) { ended.signal() } }

    private func withTaskCancellationOrGracefulShutdownHandlers(_ body: @Sendable () async -> Void) async {
        await withTaskCancellationHandler {
            await withGracefulShutdownHandler {
                await body()
            } onGracefulShutdown: {
                self.end(.draining)
            }
        } onCancel: {
            self.end(.abandoned)
        }
    }

    // MARK: - Background tasks

    /// Fails the statements that have waited too long. The threads cannot do it: all may be blocked in connecting.
    private func failExpiredStatements() async {
        for await _ in waitSignals.stream {
            while true {
                let (expired, next) = state.withLock { $0.removeExpired(at: .now) }
                for request in expired {
                    request.failUnlessCopy(.unavailable(state.withLock { $0.reason }))
                }
                guard let next else { break }
                do { try await Task.sleep(until: next, tolerance: .milliseconds(10), clock: .continuous) } catch {
                    return
                }
            }
        }
    }

    /// Terminates the server processes of abandoned connections. PostgreSQL has no time limit for a process that stalls
    /// between Execute and Sync, which keeps its row locks. The start time is compared because process ids are reused.
    private func terminateUnresponsiveBackends() async {
        let statement = Statement(
            "end_silent",
            "select pg_terminate_backend(pid) from pg_stat_activity where pid = $1::int and backend_start = $2")
        for await backend in unresponsiveBackends.stream {
            while !Task.isCancelled {
                do {
                    let found = try await query(statement, .writes, backend.processID, backend.start) { row in
                        try row.next(Bool.self)
                    }
                    logger.warning(
                        "terminated an unresponsive server process",
                        metadata: ["pid": "\(backend.processID)", "found": "\(!found.isEmpty)"])
                    break
                } catch {
                    logger.warning(
                        "cannot terminate a server process yet: \(error)", metadata: ["pid": "\(backend.processID)"])
                    // The pause is for errors that occur at once, such as `overloaded`.
                    try? await Task.sleep(for: .milliseconds(200))
                }
            }
        }
    }

    /// Lets a background task terminate the server process.
    func terminateLater(_ backend: Backend) { unresponsiveBackends.continuation.yield(backend) }
}

/// The current load of a pool.
package struct PoolUsage: Sendable {
    /// The number of open connections.
    package let openConnections: Int
    /// The number of statements that a connection has accepted and not answered.
    package let inFlight: Int
    /// The number of statements that wait for a connection to open.
    package let waiting: Int
}

extension PoolHealth {
    fileprivate var isServing: Bool { self == .healthy }
}
