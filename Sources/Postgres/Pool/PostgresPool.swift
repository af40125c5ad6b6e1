// Some connections to one database, each with its thread, shared by all tasks. Made by the executable, run as a service, used by Database.
// A statement goes to the open connection with the least to do, or waits until one is open. On libpq, whose connection strings know several hosts
// and which of them may write, and by hand for its pipeline: a burst with one Sync does 245,000 to 380,000 selects a second on two cores with 64
// tasks, where a Sync each does 165,000 and a Dispatch source for each socket 124,000 to 179,000.
// Read next: PoolThread.swift, Connection/ConnectionLoop.swift, Connection/Mailbox.swift.
import Logging
import ServiceLifecycle
import Synchronization

/// Connections to one database that are kept open, reconnected with back-off, and shared by everyone.
package final class PostgresPool: StatementRunner, Service {
    let configuration: PoolConfiguration
    let logger: Logger
    let mailboxes: [Mailbox]
    let state: Mutex<PoolState>
    private let onHealthChange: @Sendable (PoolHealth) -> Void
    let onOpen: @Sendable () -> Void
    private let onAnswer: @Sendable (_ statement: String, PostgresError?) -> Void
    private let reportedHealth = Mutex(PoolHealth?.none)
    private let ended = Gate()
    /// Told when a statement begins to wait for a connection.
    private let waits = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    /// Server processes whose connection was given up, and which may hold locks.
    private let silent = AsyncStream.makeStream(of: Backend.self, bufferingPolicy: .bufferingNewest(64))

    /// A pool that connects once it runs; statements wait for it until then. `onHealthChange` is told of every change once, and first whether
    /// the first connection succeeded. `onOpen` is told of each connection that opens, before it is used: it may lead to another server than the others.
    /// Both are called on a connection's thread and must not block, nor use the pool. `onAnswer` is told how each
    /// statement ended, by its name, before who asked is: nil where it did what it should. Throws when the process has no descriptor left.
    package init(
        _ configuration: PoolConfiguration, logger: Logger, onHealthChange: @escaping @Sendable (PoolHealth) -> Void = { _ in },
        onOpen: @escaping @Sendable () -> Void = {},
        onAnswer: @escaping @Sendable (_ statement: String, PostgresError?) -> Void = { _, _ in }
    ) throws(PostgresError) {
        let count = max(1, configuration.connections)
        var mailboxes: [Mailbox] = []
        for _ in 0..<count { mailboxes.append(try Mailbox(limit: max(1, configuration.queueLimit / count))) }
        (self.configuration, self.logger, self.mailboxes) = (configuration, logger, mailboxes)
        (self.onHealthChange, self.onOpen, self.onAnswer) = (onHealthChange, onOpen, onAnswer)
        state = Mutex(PoolState(connections: count))
    }

    /// Opens the connections and keeps them open; after a graceful shutdown began it ends once all that was accepted is answered. When its task
    /// is cancelled, it ends at once. A pool runs once.
    package func run() async throws {
        let isFirst = state.withLock { state in
            defer { if state.phase == .idle { state.phase = .running } }
            return state.phase == .idle
        }
        guard isFirst else { throw PostgresError.unavailable("a pool runs once") }
        do throws(PostgresError) {
            for index in mailboxes.indices { try startThread { self.keepOpen(index) } }
        } catch {
            end(.abandoned)
            throw error
        }
        await withTaskCancellationOrGracefulShutdownHandlers {
            await withTaskGroup { group in
                group.addTask { await self.failThoseWhoWaitTooLong() }
                group.addTask { await self.endSilent() }
                await self.ended.wait()
                group.cancelAll()
            }
        }
    }

    package func answer<Output>(_ query: Query<Output>, _ parameters: Parameters) async throws(PostgresError) -> Output {
        if let fault = parameters.fault { throw fault }
        do {
            let output = try await query.answer { query in
                let now = ContinuousClock.now
                let answerBy = now + configuration.answerLimit
                assign(Request(operation: query, deadline: now + configuration.waitForConnection, answerBy: answerBy))
            }
            if let name = query.text.name { onAnswer(name, nil) }
            return output
        } catch {
            if let name = query.text.name { onAnswer(name, error) }
            throw error
        }
    }

    /// Runs `body` on the thread of a connection while that is open, and its statements over it: no change of threads lies between the two, which
    /// costs 10 µs each on an idle machine. What else goes over the connection waits while `body` computes.
    /// - Parameter index: Taken modulo the number of connections.
    package func onConnection(_ index: Int, _ body: @Sendable () async -> Void) async {
        let mailbox = mailboxes[index % mailboxes.count]
        await Self.$preferred.withValue(mailbox) {
            await withTaskExecutorPreference(mailbox) { await body() }
        }
    }

    /// Where a task's statements go if they can.
    @TaskLocal private static var preferred: Mailbox?

    /// Gives a statement to the connection that its task prefers, or the open one with the least to do, to a quiet one only if all are; or lets it
    /// wait for one, or refuses it.
    func assign(_ request: Request) {
        if let mailbox = Self.preferred, mailboxes.contains(where: { $0 === mailbox }), !mailbox.isUnresponsive.load(ordering: .relaxed),
            mailbox.submit(request) == nil
        {
            return
        }
        while true {
            var least: (mailbox: Mailbox, load: Int)?
            for mailbox in mailboxes where mailbox.isOpen.load(ordering: .acquiring) {
                let isUnresponsive = mailbox.isUnresponsive.load(ordering: .relaxed)
                let load = mailbox.load.load(ordering: .relaxed) + (isUnresponsive ? configuration.queueLimit : 0)
                if load < least?.load ?? .max { least = (mailbox, load) }
            }
            if let least {
                switch least.mailbox.submit(request) {
                case nil: return
                case .full: return request.refuse(.overloaded)
                case .closed: continue
                }
            }
            switch state.withLock({ $0.wait(request, limit: configuration.queueLimit) }) {
            case .waiting:
                waits.continuation.yield()
                return
            case .refused(let error): return request.refuse(error)
            case .tryAgain: continue
            }
        }
    }

    // MARK: - Health and end

    package var use: PoolUse {
        let (open, waiting) = state.withLock { state in (state.slots.count { $0 == .open }, state.waiting.count) }
        return PoolUse(openConnections: open, inFlight: mailboxes.reduce(0) { $0 + $1.load.load(ordering: .relaxed) }, waiting: waiting)
    }

    /// Tells whether the pool can serve, if that has changed. The lock keeps the reports in order.
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

    /// Accepts nothing more; the threads end after what was accepted, or at once. Nobody waits for one that is still connecting.
    private func end(_ phase: Mailbox.Phase) {
        let waiting = state.withLock { state in
            state.phase = .ending
            for index in state.slots.indices where state.slots[index] == .connecting { state.slots[index] = .ended }
            return state.takeWaiting()
        }
        for mailbox in mailboxes { mailbox.end(phase) }
        for request in waiting { request.refuse(.unavailable("the client is shutting down")) }
        openGateIfEnded()
    }

    func openGateIfEnded() { if state.withLock({ $0.hasEnded }) { ended.open() } }

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

    // MARK: - Beside the connections

    /// Fails what has waited for a connection for too long. The threads can't: they may all be blocked in connecting.
    private func failThoseWhoWaitTooLong() async {
        for await _ in waits.stream {
            while true {
                let (expired, next) = state.withLock { $0.expire(.now) }
                for request in expired {
                    request.refuse(.unavailable(state.withLock { $0.reason }))
                }
                guard let next else { break }
                do { try await Task.sleep(until: next, tolerance: .milliseconds(10), clock: .continuous) } catch { return }
            }
        }
    }

    /// Ends server processes whose connection was given up: no time limit of PostgreSQL ends one that stalls between Execute and Sync, and it
    /// keeps its row locks. A process id alone might belong to somebody else by now.
    private func endSilent() async {
        let statement = Statement(
            "end_silent", "select pg_terminate_backend(pid) from pg_stat_activity where pid = $1::int and backend_start = $2")
        for await backend in silent.stream {
            while !Task.isCancelled {
                do {
                    let found = try await query(statement, .writes, backend.processID, backend.start) { row in try row.next(Bool.self) }
                    logger.warning(
                        "ended a server process that gave no sign of life",
                        metadata: ["pid": "\(backend.processID)", "found": "\(!found.isEmpty)"])
                    break
                } catch {
                    logger.warning("can't end a server process yet: \(error)", metadata: ["pid": "\(backend.processID)"])
                    // Every failure has taken its time but these two.
                    try? await Task.sleep(for: .milliseconds(200))
                }
            }
        }
    }

    func endLater(_ backend: Backend) { silent.continuation.yield(backend) }
}

package struct PoolUse: Sendable {
    package let openConnections: Int
    /// Statements that were given to a connection and have no answer yet.
    package let inFlight: Int
    /// Statements that wait for a connection to open.
    package let waiting: Int
}

extension PoolHealth {
    fileprivate var isServing: Bool { self == .healthy }
}
