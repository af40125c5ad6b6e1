// How work gathers into batches: what goes together, in which order, who is refused, and that everybody gets an answer of their own.
// Tests Sources/Shop/Queue/BatchQueue.swift without a database: the test itself does the work, batch by batch.
import ServiceLifecycle
import Shop
import Support
import Testing

@Suite struct BatchQueueTests {
    @Test("a job that finds a free worker starts at once, alone; two workers do two batches at a time")
    func alone() async throws {
        try await Desk.with(workers: 2) { desk async throws in
            let first = desk.submit(1)
            let one = await desk.nextBatch()
            let second = desk.submit(2)
            let two = await desk.nextBatch()
            #expect([one.jobs, two.jobs] == [[1], [2]])
            two.answer(.done("two"))
            #expect(try await second.value == "two")
            one.answer(.done("one"))
            #expect(try await first.value == "one")
        }
    }

    @Test("jobs that wait go together in their order, as many as a batch may hold, and each gets its own answer")
    func together() async throws {
        try await Desk.with(batch: 3) { desk async throws in
            let first = desk.submit(0)
            let busy = await desk.nextBatch()
            var waiting: [Task<String, any Error>] = []
            for job in 1...5 { waiting.append(await desk.wait(job)) }
            busy.answer(.done("0"))
            let three = await desk.nextBatch()
            #expect(three.jobs == [1, 2, 3])
            three.answer(.done("1"), .done("2"), .done("3"))
            let two = await desk.nextBatch()
            #expect(two.jobs == [4, 5])
            two.answer(.done("4"), .done("5"))
            #expect(try await first.value == "0")
            for (job, answer) in zip(1...5, waiting) { #expect(try await answer.value == "\(job)") }
        }
    }

    @Test("a job without a result is not left waiting: it is decided again, and refused in the end")
    func withoutResult() async throws {
        try await Desk.with(attempts: 2) { desk async throws in
            let first = desk.submit(0)
            let busy = await desk.nextBatch()
            let (one, two) = (await desk.wait(1), await desk.wait(2))
            busy.answer(.done("0"))
            await desk.nextBatch().answer(.done("1"))
            let again = await desk.nextBatch()
            #expect(again.jobs == [2])
            again.answer([])
            let answers = (try await first.value, try await one.value)
            #expect(answers == ("0", "1"))
            await #expect(throws: ShopFault.lostTooOften) { try await two.value }
        }
    }

    @Test("beside a large batch a small one waits to grow, but not for long: one that is stuck keeps nobody")
    func besideALargeOne() async throws {
        try await Desk.with(workers: 2) { desk async throws in
            let first = desk.submit(0)
            let busy = await desk.nextBatch()
            let other = desk.submit(1)
            let second = await desk.nextBatch()
            var large: [Task<String, any Error>] = []
            for job in 2...9 { large.append(await desk.wait(job)) }
            busy.answer(.done("0"))
            let stuck = await desk.nextBatch()
            #expect(stuck.jobs == Array(2...9))
            second.answer(.done("1"))
            let small = desk.submit(10)
            let alone = await desk.nextBatch()
            #expect(alone.jobs == [10])
            alone.answer(.done("10"))
            #expect(try await small.value == "10")
            stuck.answer((2...9).map { .done("\($0)") })
            for task in large + [first, other] { _ = try await task.value }
        }
    }

    @Test("the jobs of a batch lie in one place, that of the oldest; those of other places keep their turn")
    func places() async throws {
        try await Desk.with(batch: 3, shard: { $0 % 2 }) { desk async throws in
            let first = desk.submit(0)
            let busy = await desk.nextBatch()
            var waiting: [Task<String, any Error>] = []
            for job in [1, 2, 3, 4, 5, 7, 6] { waiting.append(await desk.wait(job)) }
            busy.answer(.done("0"))
            for jobs in [[1, 3, 5], [2, 4, 6], [7]] {
                let batch = await desk.nextBatch()
                #expect(batch.jobs == jobs)
                batch.answer(jobs.map { .done("\($0)") })
            }
            #expect(try await first.value == "0")
            for (job, answer) in zip([1, 2, 3, 4, 5, 7, 6], waiting) { #expect(try await answer.value == "\(job)") }
        }
    }

    @Test("when as many jobs wait as may, the next is refused at once, and those that wait are still done")
    func full() async throws {
        try await Desk.with(waiting: 2) { desk async throws in
            _ = desk.submit(0)
            let busy = await desk.nextBatch()
            let (one, two) = (await desk.wait(1), await desk.wait(2))
            await #expect(throws: ShopFault.overloaded) { try await desk.queue.submit(3) }
            busy.answer(.done("0"))
            await desk.nextBatch().answer(.done("1"), .done("2"))
            #expect(try await [one.value, two.value] == ["1", "2"])
        }
    }

    @Test("a job whose batch does not begin in time is refused, and the job in the batch is not")
    func impatient() async throws {
        try await Desk.with(patience: .milliseconds(1)) { desk async throws in
            let first = desk.submit(0)
            let busy = await desk.nextBatch()
            await #expect(throws: ShopFault.waitedTooLong) { try await desk.queue.submit(1) }
            #expect(desk.queue.waitingCount == 0)
            busy.answer(.done("0"))
            #expect(try await first.value == "0")
        }
    }

    @Test("a job that is under way for too long is answered that nobody knows, and is not tried again")
    func undecided() async throws {
        try await Desk.with(lifetime: .milliseconds(1)) { desk async throws in
            let first = desk.submit(0)
            let busy = await desk.nextBatch()
            await #expect(throws: ShopFault.undecided) { try await first.value }
            busy.answer(.lost)
            _ = desk.submit(1)
            let next = await desk.nextBatch()
            #expect(next.jobs == [1])
            next.answer(.done("1"))
        }
    }

    @Test("a job that waits for a neighbour goes back to the front, however often")
    func again() async throws {
        try await Desk.with(attempts: 2) { desk async throws in
            let (first, second) = (desk.submit(1), desk.submit(2))
            var batch = await desk.nextBatch()
            if batch.jobs.count == 1 {
                batch.answer(.again)
                batch = await desk.nextBatch()
            }
            let behind = await desk.wait(3)
            let front = batch.jobs
            for _ in 1...5 {
                batch.answer(batch.jobs.map { _ in .again })
                batch = await desk.nextBatch()
                #expect(batch.jobs == front + [3])
            }
            batch.answer(batch.jobs.map { .done("\($0)") })
            #expect(try await [first.value, second.value, behind.value] == ["1", "2", "3"])
        }
    }

    @Test("a job that loses is decided again, as often as the limits say and no more")
    func lost() async throws {
        try await Desk.with(attempts: 4) { desk async throws in
            let loser = desk.submit(1)
            for _ in 1...4 {
                let batch = await desk.nextBatch()
                #expect(batch.jobs == [1])
                batch.answer(.lost)
            }
            await #expect(throws: ShopFault.lostTooOften) { try await loser.value }
            let winner = desk.submit(2)
            for result in [BatchResult.lost, .again, .lost, .again, .lost, .done("2")] { await desk.nextBatch().answer(result) }
            #expect(try await winner.value == "2")
        }
    }

    @Test("a server that goes down finishes what waits, and takes nothing new")
    func closing() async throws {
        let desk = Desk(limits: QueueLimits())
        try await desk.whileRunning { () async throws in
            let first = desk.submit(1)
            let busy = await desk.nextBatch()
            let other = desk.submit(2)
            let busier = await desk.nextBatch()
            let waiting = await desk.wait(3)
            await desk.services.triggerGracefulShutdown()
            busy.answer(.done("1"))
            let last = await desk.nextBatch()
            #expect(last.jobs == [3])
            last.answer(.again)
            await desk.nextBatch().answer(.done("3"))
            busier.answer(.done("2"))
            #expect(try await [first.value, other.value, waiting.value] == ["1", "2", "3"])
        }
        await #expect(throws: ShopFault.closing) { try await desk.queue.submit(4) }
    }

    @Test("a queue whose task is cancelled ends too")
    func cancelled() async throws {
        let queue = BatchQueue<Int, Int>("tests") { jobs, _ in jobs.map { .done($0) } }
        let running = Task { try await queue.run() }
        #expect(try await queue.submit(1) == 1)
        running.cancel()
        try await running.value
        await #expect(throws: ShopFault.closing) { try await queue.submit(2) }
    }

    @Test("a thousand at once, some losing and some waiting for neighbours: each gets its own answer")
    func thousand() async throws {
        var limits = QueueLimits()
        limits.patience = .seconds(60)
        limits.attempts = .max
        let queue = BatchQueue<Int, Int>("tests", limits: limits) { jobs, _ in
            jobs.map { job in
                switch Int.random(in: 0..<8) {
                case 0: .again
                case 1: .lost
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
