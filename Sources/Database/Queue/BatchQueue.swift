// Lets the work that waits at the same moment go to the database together. Used by CheckoutQueue and BasketQueue.
//
// A job that finds a free worker starts at once, as a batch of one: an idle server adds no delay. While the workers are busy,
// jobs gather, and the next batch takes all of them up to a limit: under load the batches grow by themselves. The queue is
// bounded in length and in waiting time; past either, a job is refused and nothing has happened to it.
import DequeModule
import Metrics
import ServiceLifecycle
import Synchronization

/// What became of one job of a batch.
public enum BatchResult<Answer: Sendable>: Sendable {
    /// This is its answer.
    case done(Answer)
    /// It waits for a neighbour of its batch: it goes back to the front and is decided from what the neighbour leaves.
    case again
    /// Somebody else was faster: the same, but not forever.
    case lost
}

/// Why a job was not done; nothing of it has happened.
public enum QueueRefusal: Error, Sendable, Hashable {
    /// As many jobs wait as may.
    case full
    /// It waited as long as a job may.
    case waitedTooLong
    /// It was decided again as often as a job may be, and lost each time.
    case lostTooOften
    /// The server is going down.
    case closed
}

/// The bounds of a queue.
public struct QueueLimits: Sendable {
    /// How many jobs one batch takes. 64 checkouts are about 2 ms of work in the database: more would lengthen everybody's wait without
    /// making the share of a commit in each noticeably smaller.
    public var batch = 64
    /// How many batches are under way at once: one is in the database while another is decided.
    public var workers = 2
    /// How many jobs may wait.
    public var waiting = 2048
    /// How long a job may wait for its batch to begin.
    public var patience: Duration = .seconds(2)
    /// How often a job may lose against somebody else: decided once, and three times again.
    public var attempts = 4

    /// The bounds above.
    public init() {}

    /// The bounds above for work that is spread over machines: a batch is for one shard, and those for others need not wait for it.
    init(for shards: Shards) {
        if shards.count > 1 { workers = 8 }
    }
}

/// A job that says whom it is about. Jobs with one subject may share a batch, but are never in two batches at once: they would
/// read the same rows, and all but one would lose.
public protocol QueuedJob: Sendable {
    /// What it is about: a basket.
    associatedtype Subject: Hashable & Sendable
    /// Whom it is about.
    var subject: Subject { get }
}

/// A bounded queue whose waiting jobs are done together.
public final class BatchQueue<Job: QueuedJob, Answer: Sendable>: Service {
    /// Does the jobs of a batch; answers one result a job, in their order.
    public typealias Work = @Sendable ([Job]) async -> [BatchResult<Answer>]

    private struct Entry: Sendable {
        let job: Job
        let place: Int
        let since: ContinuousClock.Instant
        var losses = 0
        let continuation: CheckedContinuation<Result<Answer, QueueRefusal>, Never>
    }

    /// What happens to a job that arrives.
    private enum Arrival {
        case wait
        case refuse(QueueRefusal)
        case start(CheckedContinuation<[Entry]?, Never>)
    }

    /// What a worker does next.
    private enum Departure {
        case batch([Entry])
        case wait
        case end
    }

    private struct State {
        var waiting: Deque<Entry> = []
        /// Workers that have nothing to do.
        var idle: [CheckedContinuation<[Entry]?, Never>] = []
        /// Of the batches under way.
        var subjects: Set<Job.Subject> = []
        var isClosed = false

        /// Takes the oldest jobs whose subject is in no other batch and which lie in one place.
        mutating func takeBatch(atMost limit: Int) -> [Entry] {
            var batch: [Entry] = []
            var skipped: [Entry] = []
            while batch.count < limit, let entry = waiting.popFirst() {
                if subjects.contains(entry.job.subject) || batch.first.map({ $0.place != entry.place }) ?? false {
                    skipped.append(entry)
                } else {
                    batch.append(entry)
                }
            }
            if !skipped.isEmpty { waiting.prepend(contentsOf: skipped) }
            subjects.formUnion(batch.map(\.job.subject))
            return batch
        }
    }

    private let limits: QueueLimits
    private let place: @Sendable (Job.Subject) -> Int
    private let work: Work
    private let sizes: Recorder
    private let durations: Timer
    private let state = Mutex(State())

    /// A queue that does its jobs with `work` once it runs. The sizes and times of its batches are recorded under `name`. A batch has only jobs
    /// whose subjects have one `place`: where they lie, if that is not the same for all.
    public init(
        _ name: String, limits: QueueLimits = QueueLimits(), metrics: any MetricsFactory = NOOPMetricsHandler.instance,
        place: @escaping @Sendable (Job.Subject) -> Int = { _ in 0 }, work: @escaping Work
    ) {
        (self.limits, self.place, self.work) = (limits, place, work)
        sizes = Recorder(label: "welms_queue_batch_size", dimensions: [("queue", name)], aggregate: true, factory: metrics)
        durations = Timer(label: "welms_queue_batch_duration_seconds", dimensions: [("queue", name)], factory: metrics)
    }

    /// How many jobs wait for their batch to begin.
    public var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Waits for the job's turn and answers what became of it.
    public func submit(_ job: Job) async throws(QueueRefusal) -> Answer {
        let result: Result<Answer, QueueRefusal> = await withCheckedContinuation { continuation in
            let entry = Entry(job: job, place: place(job.subject), since: .now, continuation: continuation)
            let next: Arrival = state.withLock { state in
                if state.isClosed { return .refuse(.closed) }
                if !state.subjects.contains(job.subject), let worker = state.idle.popLast() {
                    state.subjects.insert(job.subject)
                    return .start(worker)
                }
                if state.waiting.count >= limits.waiting { return .refuse(.full) }
                state.waiting.append(entry)
                return .wait
            }
            switch next {
            case .wait: break
            case .refuse(let refusal): continuation.resume(returning: .failure(refusal))
            case .start(let worker): worker.resume(returning: [entry])
            }
        }
        return try result.get()
    }

    /// The workers. After a graceful shutdown began, or a cancellation, what waits is still done; nothing new is taken.
    public func run() async throws {
        await withTaskCancellationOrGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                for _ in 0..<limits.workers { group.addTask { await self.workUntilClosed() } }
                group.addTask { await self.refuseTheImpatient() }
            }
        } onCancelOrGracefulShutdown: {
            self.close()
        }
    }

    private func close() {
        let idle = state.withLock { state in
            state.isClosed = true
            defer { state.idle = [] }
            return state.idle
        }
        for worker in idle { worker.resume(returning: nil) }
    }

    private func workUntilClosed() async {
        while let batch = await nextBatch() {
            let start = ContinuousClock.now
            let results = await work(batch.map(\.job))
            finish(batch, results)
            sizes.record(batch.count)
            durations.record(duration: ContinuousClock.now - start)
        }
    }

    private func nextBatch() async -> [Entry]? {
        await withCheckedContinuation { continuation in
            let next: Departure = state.withLock { state in
                let batch = state.takeBatch(atMost: limits.batch)
                if !batch.isEmpty { return .batch(batch) }
                if state.isClosed { return .end }
                state.idle.append(continuation)
                return .wait
            }
            switch next {
            case .batch(let batch): continuation.resume(returning: batch)
            case .end: continuation.resume(returning: nil)
            case .wait: break
            }
        }
    }

    private func finish(_ batch: [Entry], _ results: [BatchResult<Answer>]) {
        var again: [Entry] = []
        for (entry, result) in zip(batch, results) {
            switch result {
            case .done(let answer): entry.continuation.resume(returning: .success(answer))
            case .again: again.append(entry)
            case .lost where entry.losses + 1 >= limits.attempts: entry.continuation.resume(returning: .failure(.lostTooOften))
            case .lost:
                var entry = entry
                entry.losses += 1
                again.append(entry)
            }
        }
        state.withLock { state in
            state.subjects.subtract(batch.map(\.job.subject))
            state.waiting.prepend(contentsOf: again)
        }
    }

    /// The oldest stand in front, so a look at the front finds all who have waited too long. Ten looks a second are precise enough
    /// for a patience of seconds.
    private func refuseTheImpatient() async {
        while !state.withLock({ $0.isClosed }) {
            try? await Task.sleep(for: .milliseconds(100))
            let deadline = ContinuousClock.now - limits.patience
            let refused = state.withLock { state in
                let count = state.waiting.prefix { $0.since < deadline }.count
                defer { state.waiting.removeFirst(count) }
                return Array(state.waiting.prefix(count))
            }
            for entry in refused { entry.continuation.resume(returning: .failure(.waitedTooLong)) }
        }
    }
}
