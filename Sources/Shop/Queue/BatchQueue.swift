// Lets the work that waits at the same moment go to the database together. Used by CheckoutQueue, BasketQueue and CancellationQueue.
//
// A job that finds a free worker starts at once, as a batch of one: an idle server adds no delay. While the workers are busy,
// jobs gather, and the next batch takes all of them up to a limit: under load the batches grow by themselves. The queue is
// bounded in length and in waiting time; past either, a job is refused and nothing has happened to it. What somebody outside keeps from being done
// is set aside, so that it is in nobody's way, until that is over or it has waited long enough. Next: BatchQueue+State.swift, who is woken when.
import Database
import Metrics
import ServiceLifecycle
import Synchronization
import Tracing

/// What became of one job of a batch.
package enum BatchResult<Answer: Sendable>: Sendable {
    case done(Answer)
    case failed(ShopFault)
    /// It waits for a neighbour of its batch: it goes back to the front and is decided from what the neighbour leaves.
    case again
    /// Somebody else was faster: the same, but not forever.
    case lost
    /// Somebody holds a row that it needs, or did a moment ago: it is set aside for as long as this says so, and then goes back to the front, unless
    /// it has waited for as long as anything may.
    case waits(while: @Sendable () -> Bool)
}

/// A job that says whom it is about. Jobs with one subject may share a batch, but are never in two batches at once: they would
/// read the same rows, and all but one would lose.
package protocol QueuedJob: Sendable {
    /// What it is about: a basket.
    associatedtype Subject: Hashable & Sendable
    var subject: Subject { get }
}

/// A bounded queue whose waiting jobs are done together.
package final class BatchQueue<Job: QueuedJob, Answer: Sendable>: Service {
    /// Does the jobs of a batch; answers one result a job, in their order. Where one of them is traced, it says when a stage is over.
    package typealias Work = @Sendable ([Job], BatchTimes?) async -> [BatchResult<Answer>]

    struct Entry: Sendable {
        let job: Job
        let shard: Int
        let since: ContinuousClock.Instant
        var losses = 0
        let waiter: Waiter
        /// Nil where nobody traces.
        var trace: JobTrace?
    }

    /// Who waits for the answer to a job, until the first one comes.
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

    /// A queue that does its jobs with `work` once it runs. The sizes and times of its batches are recorded under `name`.
    /// - Parameters:
    ///   - firstConnection: The connection of the database on whose thread the first worker works; the others follow.
    ///   - tracer: Records what a job waits for, below the span of the task that submits it; nil: nothing.
    ///   - shard: Where a subject lies, if that is not the same for all. A batch has only jobs of one shard.
    package init(
        _ name: String, limits: QueueLimits = QueueLimits(), on database: ShopDatabase? = nil, firstConnection: Int = 0,
        metrics: any MetricsFactory = NOOPMetricsHandler.instance, tracer: (any Tracer)? = nil,
        shard: @escaping @Sendable (Job.Subject) -> Int = { _ in 0 }, work: @escaping Work
    ) {
        (self.database, self.firstConnection) = (database, firstConnection)
        (self.limits, self.shard, self.work, self.tracer) = (limits, shard, work, tracer)
        state = Mutex(State(underWay: Array(repeating: [], count: limits.workers)))
        sizes = Recorder(label: "welms_queue_batch_size", dimensions: [("queue", name)], aggregate: true, factory: metrics)
        durations = Timer(label: "welms_queue_batch_duration_seconds", dimensions: [("queue", name)], factory: metrics)
    }

    /// Whether a job would be refused now: asked before work is put into making one.
    package var isFull: Bool { waitingCount >= limits.waiting }

    /// How many jobs wait for their batch to begin.
    package var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// How many jobs wait for a row that somebody holds.
    package var blockedCount: Int { state.withLock { $0.blocked.count } }

    /// Waits for the job's turn and answers what became of it.
    package func submit(_ job: Job) async throws(ShopFault) -> Answer {
        let request = tracer == nil ? nil : ServiceContext.current
        let result: Result<Answer, ShopFault> = await withCheckedContinuation { continuation in
            let now = ContinuousClock.now
            let trace = request.map { JobTrace(request: $0, since: now) }
            let entry = Entry(job: job, shard: shard(job.subject), since: now, waiter: Waiter(continuation), trace: trace)
            let wake: Wake = state.withLock { state in
                if state.isClosed { return .submitter(.closing) }
                if state.waiting.count >= limits.waiting { return .submitter(.overloaded) }
                state.waiting.append(entry)
                return state.wakeWorker(atMost: limits.batch)
            }
            wake(entry.waiter)
        }
        return try result.get()
    }

    /// The workers. After a graceful shutdown began, or a cancellation, what waits is still done; nothing new is taken.
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
        for entry in blocked { entry.waiter.answer(.failure(.beingChanged)) }
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
            finish(worker, batch, results)
            sizes.record(batch.count)
            durations.record(duration: ContinuousClock.now - start)
            // Who waited has its answer: a tracer may take its time.
            if let tracer, let times {
                for case let trace? in batch.lazy.map(\.trace) { times.record(trace, size: batch.count, by: tracer) }
            }
        }
    }

    private func nextBatch(for worker: Int) async -> [Entry]? {
        await withCheckedContinuation { continuation in
            let wakes: [Wake] = state.withLock { state in
                let batch = state.takeBatch(for: worker, atMost: limits.batch)
                if batch.isEmpty, !state.isClosed {
                    state.idle.append(IdleWorker(worker: worker, continuation: continuation))
                    return []
                }
                // What this one has left, in other shards or beyond the limit, may be worth a batch for others.
                return [.worker(continuation, batch.isEmpty ? nil : batch)] + state.wakeWorkers(atMost: limits.batch)
            }
            for wake in wakes { wake() }
        }
    }

    private func finish(_ worker: Int, _ batch: [Entry], _ results: [BatchResult<Answer>]) {
        var again: [Entry] = []
        var blocked: [(Entry, @Sendable () -> Bool)] = []
        let latest = ContinuousClock.now - LockedRows.patience
        for (index, entry) in batch.enumerated() {
            // One without a result is lost: nobody is left waiting.
            switch index < results.count ? results[index] : .lost {
            case .done(let answer): entry.waiter.answer(.success(answer))
            case .failed(let fault): entry.waiter.answer(.failure(fault))
            // Nobody waits for it any more.
            case .again where entry.waiter.isAnswered, .lost where entry.waiter.isAnswered: break
            case .again: again.append(entry)
            case .lost where entry.losses + 1 >= limits.attempts: entry.waiter.answer(.failure(.lostTooOften))
            case .lost:
                var entry = entry
                entry.losses += 1
                again.append(entry)
            case .waits where entry.since < latest: entry.waiter.answer(.failure(.beingChanged))
            case .waits(let waits): blocked.append((entry, waits))
            }
        }
        if tracer != nil { for index in again.indices { again[index].trace?.since = .now } }
        let refused = state.withLock { state in
            state.underWay[worker] = []
            for entry in batch { state.subjects.remove(entry.job.subject) }
            state.waiting.prepend(contentsOf: again)
            // Nobody looks after them once the queue is closed.
            let room = state.isClosed ? 0 : max(limits.blocked - state.blocked.count, 0)
            for (entry, waits) in blocked.prefix(room) { state.blocked.add(entry, since: entry.since, while: waits) }
            return blocked.dropFirst(room).map(\.0)
        }
        for entry in refused { entry.waiter.answer(.failure(.beingChanged)) }
    }

    /// Ten looks a second are precise enough for a patience of seconds; who waits for a row is looked after more often, for most wait for what is free
    /// in a moment.
    private func keepTime() async {
        var wokeAll = ContinuousClock.now
        while !state.withLock({ $0.isClosed }) {
            try? await Task.sleep(for: .milliseconds(blockedCount == 0 ? 100 : 20))
            let now = ContinuousClock.now
            // Not more often: each may make a small batch of what would have been part of a large one.
            let ofAnySize = now - wokeAll >= .milliseconds(100)
            if ofAnySize { wokeAll = now }
            serveWaiting(now, ofAnySize: ofAnySize)
        }
    }

    /// Takes back whose row is free, and answers who has waited too long: the oldest stand in front, so a look at the front finds them all.
    /// - Parameter ofAnySize: Where one batch is stuck, those who were too few to be one beside it now are one.
    private func serveWaiting(_ now: ContinuousClock.Instant, ofAnySize: Bool) {
        let (refused, overdue, held, wakes) = state.withLock { state in
            let (free, held) = state.blocked.take(waitingSince: now - LockedRows.patience)
            state.waiting.prepend(contentsOf: free)
            let count = state.waiting.prefix { $0.since < now - limits.patience }.count
            let refused = Array(state.waiting.prefix(count))
            state.waiting.removeFirst(count)
            let overdue = state.underWay.flatMap { $0.filter { $0.since < now - limits.lifetime } }
            return (refused, overdue, held, state.wakeWorkers(atMost: limits.batch, ofAnySize: ofAnySize))
        }
        for wake in wakes { wake() }
        for entry in overdue { entry.waiter.answer(.failure(.undecided)) }
        for entry in held { entry.waiter.answer(.failure(.beingChanged)) }
        for entry in refused {
            entry.waiter.answer(.failure(.waitedTooLong))
            if let tracer, let trace = entry.trace { BatchTimes(begin: now).recordRefusal(trace, by: tracer) }
        }
    }
}
