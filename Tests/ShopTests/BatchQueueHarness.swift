// A queue whose batches a test executes itself, one by one.
import ServiceLifecycle
import Shop
import Support
import Tracing

extension Int: QueuedJob {
    /// Each job has a subject of its own.
    package var subject: Int { self }
}

/// A batch queue whose batches wait until the test returns their results.
final class BatchQueueHarness: Sendable {
    struct Batch: Sendable {
        let jobs: [Int]
        let times: BatchTimes?
        let continuation: CheckedContinuation<[BatchResult<String>], Never>

        func complete(_ results: BatchResult<String>...) { continuation.resume(returning: results) }
        func complete(_ results: [BatchResult<String>]) { continuation.resume(returning: results) }
    }

    let queue: BatchQueue<Int, String>
    let services: ServiceGroup
    private let batches: AsyncStream<Batch>

    init(limits: QueueLimits, tracer: (any Tracer)? = nil, shard: @escaping @Sendable (Int) -> Int = { _ in 0 }) {
        let (batches, arrival) = AsyncStream.makeStream(of: Batch.self, bufferingPolicy: .bufferingOldest(16))
        self.batches = batches
        queue = BatchQueue("tests", limits: limits, tracer: tracer, shard: shard) { jobs, times in
            await withCheckedContinuation { arrival.yield(Batch(jobs: jobs, times: times, continuation: $0)) }
        }
        services = ServiceGroup(services: [queue], logger: .silent)
    }

    static func with(
        batchSize: Int = 64, workers: Int = 1, waitingLimit: Int = 2048, maximumWait: Duration = .seconds(60),
        lifetime: Duration = .seconds(60), attemptLimit: Int = 4, tracer: (any Tracer)? = nil,
        shard: @escaping @Sendable (Int) -> Int = { _ in 0 }, _ body: (BatchQueueHarness) async throws -> Void
    ) async throws {
        var limits = QueueLimits()
        (limits.batchSize, limits.workers, limits.waitingLimit) = (batchSize, workers, waitingLimit)
        (limits.maximumWait, limits.lifetime, limits.attemptLimit) = (maximumWait, lifetime, attemptLimit)
        let harness = BatchQueueHarness(limits: limits, tracer: tracer, shard: shard)
        try await harness.whileRunning { try await body(harness) }
    }

    /// Runs the queue during `body`, and shuts it down as a server does.
    func whileRunning(_ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await self.services.run() }
            try await body()
            await services.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    func nextBatch() async -> Batch {
        for await batch in batches { return batch }
        preconditionFailure("the stream of batches has ended")
    }

    func submit(_ job: Int) -> Task<String, any Error> {
        Task { [queue] in try await queue.submit(job) }
    }

    /// Submits a job and returns once the job waits in the queue.
    func enqueue(_ job: Int) async -> Task<String, any Error> {
        let before = queue.waitingCount
        let task = submit(job)
        while queue.waitingCount == before { await Task.yield() }
        return task
    }
}
