// Executes jobs in batches: jobs that wait at the same time go to the database together.
//
// A job that finds an idle worker starts at once, so an idle server adds no delay. While the workers are busy, jobs
// collect for the next batch: batches grow with the load. The length of the queue and the waiting time are bounded.
// Jobs that need a locked row wait apart from the others.
import Database
import Metrics
import ServiceLifecycle
import Synchronization
import Tracing

/// The result of one job of a batch.
package enum BatchResult<Answer: Sendable>: Sendable {
    case done(Answer)
    case failed(ShopFault)
    /// The job depends on another job of its batch. It returns to the front of the queue and is decided again.
    case retry
    /// The job had a conflict with another server. Like `retry`, but with a limited number of attempts.
    case conflict
    /// The job needs a row that is or was locked. It waits apart while the closure returns true, and then returns to
    /// the front of the queue, unless it has waited too long.
    case blocked(while: @Sendable () -> Bool)
}

/// A job with a subject. Jobs of one subject may share a batch, but two running batches never contain the same subject.
/// Their jobs would read the same rows and conflict.
package protocol QueuedJob: Sendable {
    /// Identifies the data that the job reads and changes, such as a basket.
    associatedtype Subject: Hashable & Sendable
    var subject: Subject { get }
}

/// A bounded queue that executes waiting jobs in batches.
package final class BatchQueue<Job: QueuedJob, Answer: Sendable>: Service {
    /// Executes a batch and returns one result per job, in order. Records the stages in `BatchTimes`, which is nil if
    /// no job is traced.
    package typealias Work = @Sendable ([Job], BatchTimes?) async -> [BatchResult<Answer>]

    struct Entry: Sendable {
        let job: Job
        let shard: Int
        let since: ContinuousClock.Instant
        var conflicts = 0
        let waiter: Waiter
        /// Nil if tracing is off or the submitting task has no trace context.
        var trace: JobTrace?
    }

    /// The caller that waits for the result of a job. Only the first result counts.
    final class Waiter: Sendable {
        private let continuation: Mutex<CheckedContinuation<Result<Answer, ShopFault>, Never>?>

        init(_ continuation: CheckedContinuation<Result<Answer, ShopFault>, Never>) {
            self.continuation = Mutex(continuation)
        }

        var isAnswered: Bool { continuation.withLock { $0 == nil } }

        func answer(_ result: Result<Answer, ShopFault>) {
            continuation.withLock { continuation in
                defer { continuation = nil }
                return continuation
            }?.resume(returning: result)
        }
    }

    private let limits: QueueLimits
    private let shard: @Sendable (Job.Subject) -> Int
    private let work: Work
    private let database: ShopDatabase?
    private let firstConnection: Int
    private let sizes: Recorder
    private let durations: Timer
    private let tracer: (any Tracer)?
    private let state: Mutex<State>

    /// Makes a queue that executes its jobs with `work`. The metrics of its batches have the label `name`.
    /// - Parameters:
    ///   - firstConnection: The index of the connection on whose thread the first worker runs. The other workers use
    ///     the next connections.
    ///   - tracer: Records the stages of a job below the span of the submitting task; nil: no tracing.
    ///   - shard: The shard of a subject. A batch has only jobs of one shard.
    package init(
        _ name: String, limits: QueueLimits = QueueLimits(), on database: ShopDatabase? = nil, firstConnection: Int = 0,
        metrics: any MetricsFactory = NOOPMetricsHandler.instance, tracer: (any Tracer)? = nil,
        shard: @escaping @Sendable (Job.Subject) -> Int = { _ in 0 }, work: @escaping Work
    ) {
        (self.database, self.firstConnection) = (database, firstConnection)
        (self.limits, self.shard, self.work, self.tracer) = (limits, shard, work, tracer)
        state = Mutex(State(batchesInProgress: Array(repeating: [], count: limits.workers)))
        sizes = Recorder(
            label: "welms_queue_batch_size", dimensions: [("queue", name)], aggregate: true, factory: metrics)
        durations = Timer(label: "welms_queue_batch_duration_seconds", dimensions: [("queue", name)], factory: metrics)
    }

    /// Whether the queue would reject a new job. Check this before the expensive preparation of a job.
    package var isFull: Bool { waitingCount >= limits.waitingLimit }

    /// How many jobs wait for their batch.
    package var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// How many jobs wait for a locked row.
    package var blockedCount: Int { state.withLock { $0.blocked.count } }

    /// Submits a job and waits for its result.
    package func submit(_ job: Job) async throws(ShopFault) -> Answer {
        let request = tracer == nil ? nil : ServiceContext.current
        let result: Result<Answer, ShopFault> = await withCheckedContinuation { continuation in
            let now = ContinuousClock.now
            let trace = request.map { JobTrace(request: $0, since: now) }
            let entry = Entry(
                job: job, shard: shard(job.subject), since: now, waiter: Waiter(continuation), trace: trace)
            let wake: Wake = state.withLock { state in
                if state.isClosed { return .submitter(.shuttingDown) }
                if state.waiting.count >= limits.waitingLimit { return .submitter(.overloaded) }
                state.waiting.append(entry)
                return state.wakeWorker(atMost: limits.batchSize)
            }
            wake(entry.waiter)
        }
        return try result.get()
    }

    /// Runs the workers. After a shutdown or a cancellation, executes the waiting jobs, fails the blocked ones and
    /// rejects new ones.
    package func run() async throws {
        await withTaskCancellationOrGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                for worker in 0..<limits.workers { group.addTask { await self.work(as: worker) } }
                group.addTask { await self.keepTime() }
            }
        } onCancelOrGracefulShutdown: {
            self.close()
        }
    }

    private func close() {
        let (idle, blocked) = state.withLock { state in
            state.isClosed = true
            defer { state.idle = [] }
            return (state.idle, state.blocked.takeAll())
        }
        for worker in idle { worker.continuation.resume(returning: nil) }
        for entry in blocked { entry.waiter.answer(.failure(.rowLocked)) }
    }

    private func work(as worker: Int) async {
        guard let database else { return await workUntilClosed(worker) }
        await database.onConnection(firstConnection + worker) { await workUntilClosed(worker) }
    }

    private func workUntilClosed(_ worker: Int) async {
        while let batch = await nextBatch(for: worker) {
            let start = ContinuousClock.now
            let times = tracer != nil && batch.contains { $0.trace != nil } ? BatchTimes(begin: start) : nil
            let results = await work(batch.map(\.job), times)
            let duration = ContinuousClock.now - start
            finish(worker, batch, results, duration)
            sizes.record(batch.count)
            durations.record(duration: duration)
            // Records the spans after the callers have their results, because a tracer may be slow.
            if let tracer, let times {
                for case let trace? in batch.lazy.map(\.trace) { times.record(trace, size: batch.count, by: tracer) }
            }
        }
    }

    private func nextBatch(for worker: Int) async -> [Entry]? {
        await withCheckedContinuation { continuation in
            let wakes: [Wake] = state.withLock { state in
                let batch = state.takeBatch(for: worker, atMost: limits.batchSize)
                if batch.isEmpty, !state.isClosed {
                    state.idle.append(IdleWorker(worker: worker, continuation: continuation))
                    return []
                }
                // The remaining jobs, of other shards or beyond the limit, may be enough for a batch of another worker.
                return [.worker(continuation, batch.isEmpty ? nil : batch)]
                    + state.wakeWorkers(atMost: limits.batchSize)
            }
            for wake in wakes { wake() }
        }
    }

    private func finish(_ worker: Int, _ batch: [Entry], _ results: [BatchResult<Answer>], _ duration: Duration) {
        var retries: [Entry] = []
        var blocked: [(Entry, @Sendable () -> Bool)] = []
        let latest = ContinuousClock.now - LockedRows.waitLimit
        for (index, entry) in batch.enumerated() {
            // A job without a result counts as a conflict, so that no caller waits forever.
            switch index < results.count ? results[index] : .conflict {
            case .done(let answer): entry.waiter.answer(.success(answer))
            case .failed(let fault): entry.waiter.answer(.failure(fault))
            // The caller already has a result.
            case .retry where entry.waiter.isAnswered, .conflict where entry.waiter.isAnswered: break
            case .retry: retries.append(entry)
            case .conflict where entry.conflicts + 1 >= limits.attemptLimit:
                entry.waiter.answer(.failure(.tooManyConflicts))
            case .conflict:
                var entry = entry
                entry.conflicts += 1
                retries.append(entry)
            case .blocked where entry.since < latest: entry.waiter.answer(.failure(.rowLocked))
            case .blocked(let isBlocked): blocked.append((entry, isBlocked))
            }
        }
        if tracer != nil { for index in retries.indices { retries[index].trace?.since = .now } }
        let rejected = state.withLock { state in
            state.batchesInProgress[worker] = []
            if results.contains(where: { if case .done = $0 { true } else { false } }) { state.lastDuration = duration }
            for entry in batch { state.subjects.remove(entry.job.subject) }
            state.waiting.prepend(contentsOf: retries)
            // A closed queue no longer checks blocked jobs, so it fails them at once.
            let capacity = state.isClosed ? 0 : max(limits.blockedLimit - state.blocked.count, 0)
            for (entry, isBlocked) in blocked.prefix(capacity) {
                state.blocked.add(entry, since: entry.since, while: isBlocked)
            }
            return blocked.dropFirst(capacity).map(\.0)
        }
        for entry in rejected { entry.waiter.answer(.failure(.rowLocked)) }
    }

    /// Checks time-outs ten times a second. While jobs are blocked, checks 50 times a second, because most locks are
    /// short.
    private func keepTime() async {
        var lastFullWake = ContinuousClock.now
        while !state.withLock({ $0.isClosed }) {
            try? await Task.sleep(for: .milliseconds(blockedCount == 0 ? 100 : 20))
            let now = ContinuousClock.now
            // Permits small batches at most every 100 ms, because they take jobs away from a larger batch.
            let ofAnySize = now - lastFullWake >= .milliseconds(100)
            if ofAnySize { lastFullWake = now }
            serveWaiting(now, ofAnySize: ofAnySize)
        }
    }

    /// Returns jobs whose row is free to the queue, and fails jobs that waited too long. The queue is in order of age,
    /// so only its front can be too old.
    /// - Parameter ofAnySize: Permits a small batch beside a large one, because the large one may be stuck.
    private func serveWaiting(_ now: ContinuousClock.Instant, ofAnySize: Bool) {
        let (rejected, overdue, timedOut, wakes) = state.withLock { state in
            let (free, timedOut) = state.blocked.take(waitingSince: now - LockedRows.waitLimit)
            state.waiting.prepend(contentsOf: free)
            let begin = now - limits.longestWait(afterBatchOf: state.lastDuration)
            let count = state.waiting.prefix { $0.since < begin }.count
            let rejected = Array(state.waiting.prefix(count))
            state.waiting.removeFirst(count)
            let overdue = state.batchesInProgress.flatMap { $0.filter { $0.since < now - limits.lifetime } }
            return (rejected, overdue, timedOut, state.wakeWorkers(atMost: limits.batchSize, ofAnySize: ofAnySize))
        }
        for wake in wakes { wake() }
        for entry in overdue { entry.waiter.answer(.failure(.outcomeUnknown)) }
        for entry in timedOut { entry.waiter.answer(.failure(.rowLocked)) }
        for entry in rejected {
            entry.waiter.answer(.failure(.timedOutInQueue))
            if let tracer, let trace = entry.trace { BatchTimes(begin: now).recordRefusal(trace, by: tracer) }
        }
    }
}
