// The state that tasks share with one connection's thread: waiting statements, jobs of tasks that run on the thread,
// and whether the thread must be woken.
import Glibc
import Synchronization

/// A bounded queue from many tasks to one connection's thread.
final class StatementQueue: Sendable {
    /// The state of the mailbox. The connection's thread opens and closes the mailbox. The pool or the
    /// PostgresConnection ends it.
    enum Phase {
        /// There is no connection. Rejects statements. Becomes `open` when connected, or `draining` or `abandoned` when
        /// ended.
        case closed
        /// Accepts statements. Becomes `closed` when the connection is lost, or `draining` or `abandoned` when ended.
        case open
        /// Rejects new statements; the thread finishes the accepted ones and ends. Becomes only `abandoned`.
        case draining
        /// The thread ends immediately. The final state.
        case abandoned
    }

    /// Why a statement was rejected.
    enum Rejection {
        case closed
        case full
    }

    private struct State {
        var requests: [QueuedStatement] = []
        var phase = Phase.closed
        /// Whether the thread sleeps, or is about to, so that a new statement must wake it.
        var isAsleep = false
        /// Jobs of tasks that prefer the thread.
        var jobs: [UnownedJob] = []
        /// Whether the thread serves an open connection and therefore runs jobs.
        var runsJobs = false
        /// Whether the thread sleeps, or is about to, so that a new job must wake it.
        var sleepsForJobs = false
    }

    /// The number of statements that wait or are in flight. A pool chooses the mailbox with the lowest load.
    let load = Atomic(0)
    /// Whether the mailbox accepts statements. Read without the lock, so it may be out of date; `submit` decides.
    let isOpen = Atomic(false)
    /// Whether the connection has received no input for a while although statements are in flight.
    let isUnresponsive = Atomic(false)
    let wakeup: Wakeup
    private let limit: Int
    private let state = Mutex(State())

    /// Creates a closed mailbox with space for `limit` waiting statements.
    init(limit: Int) throws(PostgresError) {
        self.limit = limit
        wakeup = try Wakeup()
    }

    /// Adds a statement. Returns the reason if it is rejected.
    func submit(_ request: QueuedStatement) -> Rejection? {
        let (refusal, mustWake) = state.withLock { state -> (Rejection?, Bool) in
            guard state.phase == .open else { return (.closed, false) }
            guard state.requests.count < limit else { return (.full, false) }
            state.requests.append(request)
            // This connection has its own composite types.
            state.requests[state.requests.count - 1].typeCountBeforeLookup = nil
            load.add(1, ordering: .relaxed)
            defer { state.isAsleep = false }
            return (nil, state.isAsleep)
        }
        if mustWake { wakeup.signal() }
        return refusal
    }

    /// Starts to accept statements. Returns false if the mailbox has been ended before.
    func open() -> Bool {
        let isOpen = state.withLock { state in
            guard state.phase == .closed else { return false }
            state.phase = .open
            return true
        }
        if isOpen { self.isOpen.store(true, ordering: .releasing) }
        return isOpen
    }

    /// Rejects statements until the mailbox is opened again. Returns the waiting ones.
    func close() -> [QueuedStatement] {
        isOpen.store(false, ordering: .releasing)
        isUnresponsive.store(false, ordering: .relaxed)
        return state.withLock { state in
            if state.phase == .open { state.phase = .closed }
            load.store(0, ordering: .relaxed)
            return state.requests.take()
        }
    }

    /// Ends the connection: `draining` after the accepted statements, `abandoned` immediately.
    func end(_ phase: Phase) {
        isOpen.store(false, ordering: .releasing)
        state.withLock { state in
            if state.phase != .abandoned { state.phase = phase }
            state.isAsleep = false
        }
        wakeup.signal()
    }

    /// Moves up to `count` statements to the end of `batch`. If `batch` stays empty, the next statement wakes the
    /// thread.
    func take(_ count: Int, into batch: inout [QueuedStatement]) -> Phase {
        state.withLock { state in
            if batch.isEmpty, state.requests.count <= count {
                swap(&batch, &state.requests)
            } else {
                batch.append(contentsOf: state.requests.prefix(count))
                state.requests.removeFirst(min(count, state.requests.count))
            }
            state.isAsleep = batch.isEmpty
            return state.phase
        }
    }

    /// Sets whether the thread runs jobs. The remaining jobs go to the global executor.
    func setRunsJobs(_ runs: Bool) {
        let remaining = state.withLock { state in
            state.runsJobs = runs
            return state.jobs.take()
        }
        for job in remaining { globalConcurrentExecutor.enqueue(job) }
    }

    /// Removes and returns the waiting jobs. If the list is empty, the next job wakes the thread.
    func takeJobs() -> [UnownedJob] {
        state.withLock { state in
            state.sleepsForJobs = state.jobs.isEmpty
            if !state.jobs.isEmpty { state.isAsleep = false }
            return state.jobs.take()
        }
    }

    /// Records that the thread is awake. No signal is needed, because it checks statements and jobs before it sleeps.
    func markAwake() { state.withLock { state in (state.isAsleep, state.sleepsForJobs) = (false, false) } }

    var phase: Phase { state.withLock { $0.phase } }

    /// Removes the expired statements. Checks all, because retried statements are not in the order of their deadlines.
    func removeExpired(at now: ContinuousClock.Instant) -> [QueuedStatement] {
        state.withLock { state in
            guard state.requests.contains(where: { $0.sendDeadline <= now }) else { return [] }
            let expired = state.requests.filter { $0.sendDeadline <= now }
            state.requests.removeAll { $0.sendDeadline <= now }
            load.subtract(expired.count, ordering: .relaxed)
            return expired
        }
    }

    /// Removes all waiting statements, so that other connections can take them.
    func removeAll() -> [QueuedStatement] {
        state.withLock { state in
            load.subtract(state.requests.count, ordering: .relaxed)
            return state.requests.take()
        }
    }

    /// Blocks the thread for at most `duration`. `end` wakes it.
    func pause(for duration: Duration) {
        var descriptor = pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0)
        poll(&descriptor, 1, duration.pollTimeout)
        wakeup.clear()
    }
}

extension StatementQueue: TaskExecutor {
    /// Runs a job on the connection's thread, or on the global executor while no connection is open. This avoids thread
    /// switches around statements. A job must not block, and it delays the connection's other statements while it
    /// computes.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let (isTaken, mustWake) = state.withLock { state in
            guard state.runsJobs else { return (false, false) }
            state.jobs.append(job)
            defer { state.sleepsForJobs = false }
            return (true, state.sleepsForJobs)
        }
        if !isTaken { globalConcurrentExecutor.enqueue(job) }
        if mustWake { wakeup.signal() }
    }
}

extension Array {
    /// Returns all elements and empties the array.
    fileprivate mutating func take() -> Self {
        defer { self = [] }
        return self
    }
}

extension Duration {
    /// Milliseconds, rounded up, for poll(2).
    var pollTimeout: Int32 {
        let (seconds, attoseconds) = components
        guard seconds < 1_000_000 else { return 1_000_000_000 }
        return Int32(clamping: max(0, seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
    }
}
