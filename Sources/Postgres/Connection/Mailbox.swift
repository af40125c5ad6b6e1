// What tasks and a connection's thread share: the statements that wait, the steps of tasks that run on the thread, and whether it has to be
// woken. One for each connection. Filled by PostgresPool and PostgresConnection, emptied by ConnectionLoop.
import Glibc
import Synchronization

/// A bounded queue from many tasks to one thread.
final class Mailbox: Sendable {
    /// Where a connection is in its life, which is what its thread is to do. Its thread opens and closes it, whoever owns it ends it; what the
    /// server still owes meanwhile is the Pipeline's to know, and what a statement has been through stands in its Request.
    enum Phase {
        /// There is no connection; nothing is accepted. To `open` when it has come about, to `draining` or `abandoned` when it is not wanted any more.
        case closed
        /// Statements are accepted. To `closed` when the connection is lost, of which the unsent ones are handed back; to `draining` or `abandoned`.
        case open
        /// Nothing more is accepted; finish the rest and end. To `abandoned` only.
        case draining
        /// End at once. The last state.
        case abandoned
    }

    /// Why a statement was not accepted.
    enum Refusal {
        case closed
        case full
    }

    private struct State {
        var requests: [Request] = []
        var phase = Phase.closed
        /// Whether the thread sleeps, or is about to, and only a signal makes it look again.
        var isAsleep = false
        /// Steps of tasks that prefer the thread.
        var jobs: [UnownedJob] = []
        /// Whether the thread serves an open connection, and so runs them.
        var runsJobs = false
        /// Whether it sleeps, or is about to, and a job has to wake it.
        var sleepsForJobs = false
    }

    /// How many statements wait here or are in flight; where it is smallest a pool sends the next one.
    let load = Atomic(0)
    /// Whether it accepts statements; a hint that is read without the lock.
    let isOpen = Atomic(false)
    /// Whether its connection has been waiting for an answer for a while; a hint as well.
    let isUnresponsive = Atomic(false)
    let wakeup: Wakeup
    private let limit: Int
    private let state = Mutex(State())

    /// A closed mailbox in which up to `limit` statements may wait.
    init(limit: Int) throws(PostgresError) {
        self.limit = limit
        wakeup = try Wakeup()
    }

    /// Puts a statement in, or says why not.
    func submit(_ request: Request) -> Refusal? {
        let (refusal, mustWake) = state.withLock { state -> (Refusal?, Bool) in
            guard state.phase == .open else { return (.closed, false) }
            guard state.requests.count < limit else { return (.full, false) }
            state.requests.append(request)
            load.add(1, ordering: .relaxed)
            defer { state.isAsleep = false }
            return (nil, state.isAsleep)
        }
        if mustWake { wakeup.signal() }
        return refusal
    }

    /// Accepts statements from now on; false when it was told to end before.
    func open() -> Bool {
        let isOpen = state.withLock { state in
            guard state.phase == .closed else { return false }
            state.phase = .open
            return true
        }
        if isOpen { self.isOpen.store(true, ordering: .releasing) }
        return isOpen
    }

    /// Accepts nothing until it is opened again; what waited is handed back.
    func close() -> [Request] {
        isOpen.store(false, ordering: .releasing)
        isUnresponsive.store(false, ordering: .relaxed)
        return state.withLock { state in
            if state.phase == .open { state.phase = .closed }
            load.store(0, ordering: .relaxed)
            return state.requests.take()
        }
    }

    /// Tells the thread to end, after what it has accepted or at once.
    func end(_ phase: Phase) {
        isOpen.store(false, ordering: .releasing)
        state.withLock { state in
            if state.phase != .abandoned { state.phase = phase }
            state.isAsleep = false
        }
        wakeup.signal()
    }

    /// Moves up to `count` statements to the end of `batch`. When there are none, the next one will wake the thread.
    func take(_ count: Int, into batch: inout [Request]) -> Phase {
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

    /// Says whether the thread runs jobs from now on. Those that it leaves go where all others run.
    func setRunsJobs(_ runs: Bool) {
        let left = state.withLock { state in
            state.runsJobs = runs
            return state.jobs.take()
        }
        for job in left { globalConcurrentExecutor.enqueue(job) }
    }

    /// The jobs that wait. When there are none, the next one will wake the thread; otherwise it looks again before it sleeps.
    func takeJobs() -> [UnownedJob] {
        state.withLock { state in
            state.sleepsForJobs = state.jobs.isEmpty
            if !state.jobs.isEmpty { state.isAsleep = false }
            return state.jobs.take()
        }
    }

    /// The thread has slept, and looks at everything again before it does so the next time.
    func noteAwake() { state.withLock { state in (state.isAsleep, state.sleepsForJobs) = (false, false) } }

    var phase: Phase { state.withLock { $0.phase } }

    /// Takes out what has waited too long; statements wait in the order of their deadlines, but for those that come a second time.
    func expire(_ now: ContinuousClock.Instant) -> [Request] {
        state.withLock { state in
            guard state.requests.contains(where: { $0.deadline <= now }) else { return [] }
            let expired = state.requests.filter { $0.deadline <= now }
            state.requests.removeAll { $0.deadline <= now }
            load.subtract(expired.count, ordering: .relaxed)
            return expired
        }
    }

    /// Takes out everything that waits, for other connections.
    func handBack() -> [Request] {
        state.withLock { state in
            load.subtract(state.requests.count, ordering: .relaxed)
            return state.requests.take()
        }
    }

    /// Sleeps on the thread, at most so long; `end` wakes it.
    func pause(for duration: Duration) {
        var descriptor = pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0)
        poll(&descriptor, 1, duration.pollTimeout)
        wakeup.clear()
    }
}

extension Mailbox: TaskExecutor {
    /// Runs a step of a task on the connection's thread, or anywhere while there is no connection. What a task does there costs no change of
    /// threads around its statements. It must not block, and the connection's other statements wait while it computes.
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
    /// All elements; the array is empty afterwards.
    fileprivate mutating func take() -> Self {
        defer { self = [] }
        return self
    }
}

extension Duration {
    /// In milliseconds, rounded up, as poll(2) wants it.
    var pollTimeout: Int32 {
        let (seconds, attoseconds) = components
        guard seconds < 1_000_000 else { return 1_000_000_000 }
        return Int32(clamping: max(0, seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
    }
}
