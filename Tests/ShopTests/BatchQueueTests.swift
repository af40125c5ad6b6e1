// Tests how BatchQueue gathers jobs into batches: grouping, order, limits, and one result for each job.
// Needs no database: the test itself executes each batch.
import ServiceLifecycle
import Shop
import Support
import Testing

@Suite struct BatchQueueTests {
    @Test("A job that finds a free worker starts at once in its own batch, and two workers run two batches")
    func alone() async throws {
        try await BatchQueueHarness.with(workers: 2) { harness async throws in
            let first = harness.submit(1)
            let one = await harness.nextBatch()
            let second = harness.submit(2)
            let two = await harness.nextBatch()
            #expect([one.jobs, two.jobs] == [[1], [2]])
            two.complete(.done("two"))
            #expect(try await second.value == "two")
            one.complete(.done("one"))
            #expect(try await first.value == "one")
        }
    }

    @Test("Waiting jobs form batches in their order, up to the batch limit, and each job gets its own result")
    func together() async throws {
        try await BatchQueueHarness.with(batchSize: 3) { harness async throws in
            let first = harness.submit(0)
            let busy = await harness.nextBatch()
            var waiting: [Task<String, any Error>] = []
            for job in 1...5 { waiting.append(await harness.enqueue(job)) }
            busy.complete(.done("0"))
            let three = await harness.nextBatch()
            #expect(three.jobs == [1, 2, 3])
            three.complete(.done("1"), .done("2"), .done("3"))
            let two = await harness.nextBatch()
            #expect(two.jobs == [4, 5])
            two.complete(.done("4"), .done("5"))
            #expect(try await first.value == "0")
            for (job, answer) in zip(1...5, waiting) { #expect(try await answer.value == "\(job)") }
        }
    }

    @Test("A job without a result is retried, and fails after its last attempt")
    func withoutResult() async throws {
        try await BatchQueueHarness.with(attemptLimit: 2) { harness async throws in
            let first = harness.submit(0)
            let busy = await harness.nextBatch()
            let (one, two) = (await harness.enqueue(1), await harness.enqueue(2))
            busy.complete(.done("0"))
            await harness.nextBatch().complete(.done("1"))
            let retry = await harness.nextBatch()
            #expect(retry.jobs == [2])
            retry.complete([])
            let answers = (try await first.value, try await one.value)
            #expect(answers == ("0", "1"))
            await #expect(throws: ShopFault.tooManyConflicts) { try await two.value }
        }
    }

    @Test("A small batch waits for more jobs while a large batch runs, and starts even if the large batch hangs")
    func besideALargeOne() async throws {
        try await BatchQueueHarness.with(workers: 2) { harness async throws in
            let first = harness.submit(0)
            let busy = await harness.nextBatch()
            let other = harness.submit(1)
            let second = await harness.nextBatch()
            var large: [Task<String, any Error>] = []
            for job in 2...9 { large.append(await harness.enqueue(job)) }
            busy.complete(.done("0"))
            let stuck = await harness.nextBatch()
            #expect(stuck.jobs == Array(2...9))
            second.complete(.done("1"))
            let small = harness.submit(10)
            let alone = await harness.nextBatch()
            #expect(alone.jobs == [10])
            alone.complete(.done("10"))
            #expect(try await small.value == "10")
            stuck.complete((2...9).map { .done("\($0)") })
            for task in large + [first, other] { _ = try await task.value }
        }
    }

    @Test("A batch contains only jobs of the oldest job's shard, and the jobs of other shards keep their order")
    func shards() async throws {
        try await BatchQueueHarness.with(batchSize: 3, shard: { $0 % 2 }) { harness async throws in
            let first = harness.submit(0)
            let busy = await harness.nextBatch()
            var waiting: [Task<String, any Error>] = []
            for job in [1, 2, 3, 4, 5, 7, 6] { waiting.append(await harness.enqueue(job)) }
            busy.complete(.done("0"))
            for jobs in [[1, 3, 5], [2, 4, 6], [7]] {
                let batch = await harness.nextBatch()
                #expect(batch.jobs == jobs)
                batch.complete(jobs.map { .done("\($0)") })
            }
            #expect(try await first.value == "0")
            for (job, answer) in zip([1, 2, 3, 4, 5, 7, 6], waiting) { #expect(try await answer.value == "\(job)") }
        }
    }

    @Test("When the queue is full, the next job is rejected at once, and the waiting jobs are still executed")
    func queueFull() async throws {
        try await BatchQueueHarness.with(waitingLimit: 2) { harness async throws in
            _ = harness.submit(0)
            let busy = await harness.nextBatch()
            let (one, two) = (await harness.enqueue(1), await harness.enqueue(2))
            await #expect(throws: ShopFault.overloaded) { try await harness.queue.submit(3) }
            busy.complete(.done("0"))
            await harness.nextBatch().complete(.done("1"), .done("2"))
            #expect(try await [one.value, two.value] == ["1", "2"])
        }
    }

    @Test("A job whose batch does not begin in time fails, and the job in the running batch does not")
    func waitTimeout() async throws {
        try await BatchQueueHarness.with(maximumWait: .milliseconds(1)) { harness async throws in
            let first = harness.submit(0)
            let busy = await harness.nextBatch()
            await #expect(throws: ShopFault.timedOutInQueue) { try await harness.queue.submit(1) }
            #expect(harness.queue.waitingCount == 0)
            busy.complete(.done("0"))
            #expect(try await first.value == "0")
        }
    }

    @Test("While batches are slow but successful, a job waits as long as four of them, and at most eight seconds")
    func slowBatches() async throws {
        try await BatchQueueHarness.with(maximumWait: .milliseconds(1)) { harness async throws in
            let first = harness.submit(0)
            let slow = await harness.nextBatch()
            try await Task.sleep(for: .seconds(1))
            slow.complete(.done("0"))
            #expect(try await first.value == "0")
            _ = harness.submit(1)
            let busy = await harness.nextBatch()
            let waiting = await harness.enqueue(2)
            // The queue checks its time-outs ten times a second.
            try await Task.sleep(for: .milliseconds(300))
            busy.complete(.done("1"))
            await harness.nextBatch().complete(.done("2"))
            #expect(try await waiting.value == "2")
        }
        let limits = QueueLimits()
        let waits = [0, 400, 1_000, 60_000].map { limits.longestWait(afterBatchOf: .milliseconds($0)) }
        #expect(waits == [.seconds(2), .seconds(2), .seconds(4), .seconds(8)])
    }

    @Test("A slow batch that fails does not change how long a job waits")
    func slowFailure() async throws {
        try await BatchQueueHarness.with(maximumWait: .milliseconds(1)) { harness async throws in
            let first = harness.submit(0)
            let slow = await harness.nextBatch()
            try await Task.sleep(for: .milliseconds(300))
            slow.complete(.failed(.unavailable))
            await #expect(throws: ShopFault.unavailable) { try await first.value }
            _ = harness.submit(1)
            let busy = await harness.nextBatch()
            await #expect(throws: ShopFault.timedOutInQueue) { try await harness.queue.submit(2) }
            busy.complete(.done("1"))
        }
    }

    @Test("A job that runs too long fails with an unknown outcome and is not retried")
    func jobTimeout() async throws {
        try await BatchQueueHarness.with(lifetime: .milliseconds(1)) { harness async throws in
            let first = harness.submit(0)
            let busy = await harness.nextBatch()
            await #expect(throws: ShopFault.outcomeUnknown) { try await first.value }
            busy.complete(.conflict)
            _ = harness.submit(1)
            let next = await harness.nextBatch()
            #expect(next.jobs == [1])
            next.complete(.done("1"))
        }
    }

    @Test("A job that waits for another job returns to the front of the queue, without a limit of attempts")
    func waitsForAnotherJob() async throws {
        try await BatchQueueHarness.with(attemptLimit: 2) { harness async throws in
            let first = harness.submit(1)
            var batch = await harness.nextBatch()
            let second = await harness.enqueue(2)
            batch.complete(.retry)
            batch = await harness.nextBatch()
            #expect(batch.jobs == [1, 2])
            let behind = await harness.enqueue(3)
            for _ in 1...5 {
                batch.complete(batch.jobs.map { _ in .retry })
                batch = await harness.nextBatch()
                #expect(batch.jobs == [1, 2, 3])
            }
            batch.complete(batch.jobs.map { .done("\($0)") })
            #expect(try await [first.value, second.value, behind.value] == ["1", "2", "3"])
        }
    }

    @Test("A job with a conflict is retried up to the limit of attempts and then fails")
    func conflicts() async throws {
        try await BatchQueueHarness.with(attemptLimit: 4) { harness async throws in
            let loser = harness.submit(1)
            for _ in 1...4 {
                let batch = await harness.nextBatch()
                #expect(batch.jobs == [1])
                batch.complete(.conflict)
            }
            await #expect(throws: ShopFault.tooManyConflicts) { try await loser.value }
            let winner = harness.submit(2)
            for result in [BatchResult.conflict, .retry, .conflict, .retry, .conflict, .done("2")] {
                await harness.nextBatch().complete(result)
            }
            #expect(try await winner.value == "2")
        }
    }

    @Test("A queue that shuts down finishes the waiting jobs and accepts no new ones")
    func shutdown() async throws {
        let harness = BatchQueueHarness(limits: QueueLimits())
        try await harness.whileRunning { () async throws in
            let first = harness.submit(1)
            let busy = await harness.nextBatch()
            let other = harness.submit(2)
            let busier = await harness.nextBatch()
            let waiting = await harness.enqueue(3)
            await harness.services.triggerGracefulShutdown()
            busy.complete(.done("1"))
            let last = await harness.nextBatch()
            #expect(last.jobs == [3])
            last.complete(.retry)
            await harness.nextBatch().complete(.done("3"))
            busier.complete(.done("2"))
            #expect(try await [first.value, other.value, waiting.value] == ["1", "2", "3"])
        }
        await #expect(throws: ShopFault.shuttingDown) { try await harness.queue.submit(4) }
    }

    @Test("Cancelling the task of a queue closes the queue")
    func cancelled() async throws {
        let queue = BatchQueue<Int, Int>("tests") { jobs, _ in jobs.map { .done($0) } }
        let running = Task { try await queue.run() }
        #expect(try await queue.submit(1) == 1)
        running.cancel()
        try await running.value
        await #expect(throws: ShopFault.shuttingDown) { try await queue.submit(2) }
    }

    @Test("Each of 1,000 concurrent jobs gets its own result, although some conflict and some wait for others")
    func thousand() async throws {
        var limits = QueueLimits()
        limits.maximumWait = .seconds(60)
        limits.attemptLimit = .max
        let queue = BatchQueue<Int, Int>("tests", limits: limits) { jobs, _ in
            jobs.map { job in
                switch Int.random(in: 0..<8) {
                case 0: .retry
                case 1: .conflict
                default: .done(-job)
                }
            }
        }
        let running = Task { try await queue.run() }
        let answers = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            for job in 0..<1000 { group.addTask { (job, try await queue.submit(job)) } }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        running.cancel()
        try await running.value
        #expect(answers == Dictionary(uniqueKeysWithValues: (0..<1000).map { ($0, -$0) }))
    }
}
