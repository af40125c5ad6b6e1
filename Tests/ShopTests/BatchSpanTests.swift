// Spans that a queue records for traced requests: the wait and the stages of the batch, with the batch's times.
// Covers BatchTimes without a database: the test itself executes each batch.
import InMemoryTracing
import Shop
import Support
import Testing
import Tracing

@Suite struct BatchSpanTests {
    private let tracer = InMemoryTracer()

    /// Returns the child spans of a request in the order of their start.
    private func spans(below request: InMemorySpan) -> [FinishedInMemorySpan] {
        tracer.finishedSpans.filter { $0.parentSpanID == request.spanID }
            .sorted { $0.startInstant.nanosecondsSinceEpoch < $1.startInstant.nanosecondsSinceEpoch }
    }

    private func submit(_ job: Int, to harness: BatchQueueHarness, below request: InMemorySpan?) async -> Task<
        String, any Error
    > {
        await ServiceContext.$current.withValue(request?.context) { await harness.enqueue(job) }
    }

    @Test("Jobs of one batch have spans of the same times below their own requests, and untraced jobs have none")
    func shared() async throws {
        try await BatchQueueHarness.with(tracer: tracer) { harness async throws in
            let first = harness.submit(0)
            let busy = await harness.nextBatch()
            let requests = [tracer.startSpan("one"), tracer.startSpan("two")]
            let waiting = [
                await submit(1, to: harness, below: requests[0]), await submit(2, to: harness, below: nil),
                await submit(3, to: harness, below: requests[1]),
            ]
            #expect(busy.times == nil, "a batch without a traced job records no times")
            busy.complete(.done("0"))
            let batch = await harness.nextBatch()
            #expect(batch.jobs == [1, 2, 3])
            for stage in [BatchStage.facts, .decision, .statement] { batch.times?.end(stage) }
            batch.complete(.done("1"), .done("2"), .done("3"))
            for task in [first] + waiting { _ = try await task.value }
            try await eventually("all spans are recorded") { tracer.finishedSpans.count >= 8 }

            let (one, two) = (spans(below: requests[0]), spans(below: requests[1]))
            #expect(one.map(\.operationName) == ["queue", "facts", "decision", "statement"])
            #expect(two.map(\.operationName) == one.map(\.operationName) && tracer.finishedSpans.count == 8)
            #expect(
                one.allSatisfy { $0.traceID == requests[0].traceID }
                    && two.allSatisfy { $0.traceID == requests[1].traceID })
            for (mine, other) in zip(one, two).dropFirst() {
                #expect(mine.startInstant.nanosecondsSinceEpoch == other.startInstant.nanosecondsSinceEpoch)
                #expect(mine.endInstant.nanosecondsSinceEpoch == other.endInstant.nanosecondsSinceEpoch)
            }
            for (stage, next) in zip(one, one.dropFirst()) {
                #expect(
                    stage.endInstant.nanosecondsSinceEpoch == next.startInstant.nanosecondsSinceEpoch,
                    "each stage begins when the previous one ends")
            }
            #expect(
                one[0].startInstant.nanosecondsSinceEpoch < two[0].startInstant.nanosecondsSinceEpoch,
                "each job has its own waiting time")
            #expect((one + two).allSatisfy { $0.attributes.get("welms.batch.size") == 3 && $0.status == nil })
            #expect(one.map { $0.attributes.get("db.system.name") } == [nil, "postgresql", nil, "postgresql"])
            #expect(one.map(\.kind) == [.internal, .client, .internal, .client])
        }
    }

    @Test("A job with a conflict has the spans of each of its batches, and a new span for the wait between them")
    func conflict() async throws {
        try await BatchQueueHarness.with(tracer: tracer) { harness async throws in
            let request = tracer.startSpan("request")
            let job = ServiceContext.$current.withValue(request.context) { harness.submit(1) }
            let first = await harness.nextBatch()
            for stage in [BatchStage.facts, .decision, .statement] { first.times?.end(stage) }
            first.complete(.conflict)
            let second = await harness.nextBatch()
            for stage in [BatchStage.facts, .decision] { second.times?.end(stage) }
            second.complete(.done("placed"))
            #expect(try await job.value == "placed")
            try await eventually("all spans are recorded") { tracer.finishedSpans.count >= 7 }
            let spans = spans(below: request)
            #expect(
                spans.map(\.operationName) == ["queue", "facts", "decision", "statement", "queue", "facts", "decision"])
            for (span, next) in zip(spans, spans.dropFirst()) {
                #expect(span.endInstant.nanosecondsSinceEpoch <= next.startInstant.nanosecondsSinceEpoch + 1_000_000)
            }
        }
    }

    @Test("A stage that fails is the last one and has an error status", arguments: [0, 1, 2])
    func failed(stages: Int) async throws {
        try await BatchQueueHarness.with(tracer: tracer) { harness async throws in
            let request = tracer.startSpan("request")
            let job = ServiceContext.$current.withValue(request.context) { harness.submit(1) }
            let batch = await harness.nextBatch()
            for stage in [BatchStage.facts, .decision].prefix(stages) { batch.times?.end(stage) }
            batch.times?.fail()
            batch.complete(.done("failed"))
            _ = try await job.value
            try await eventually("all spans are recorded") { tracer.finishedSpans.count >= stages + 2 }
            let spans = spans(below: request)
            #expect(
                spans.map(\.operationName) == Array(["queue", "facts", "decision", "statement"].prefix(stages + 2)))
            #expect(spans.map { $0.status?.code == .error } == Array(repeating: false, count: stages + 1) + [true])
        }
    }

    @Test("A job that waits too long has only the span of its wait, with an error status")
    func waitTimeout() async throws {
        try await BatchQueueHarness.with(maximumWait: .milliseconds(50), tracer: tracer) { harness async throws in
            let first = harness.submit(0)
            let busy = await harness.nextBatch()
            let request = tracer.startSpan("request")
            let waiting = await submit(1, to: harness, below: request)
            await #expect(throws: ShopFault.timedOutInQueue) { try await waiting.value }
            try await eventually("the span is recorded") { !tracer.finishedSpans.isEmpty }
            let spans = spans(below: request)
            #expect(spans.map(\.operationName) == ["queue"] && spans.first?.status?.code == .error)
            busy.complete(.done("0"))
            _ = try await first.value
        }
    }

    @Test("Without a tracer no span is recorded, even for a job whose task has a span")
    func withoutTracer() async throws {
        try await BatchQueueHarness.with { harness async throws in
            let request = tracer.startSpan("request")
            let job = ServiceContext.$current.withValue(request.context) { harness.submit(1) }
            let batch = await harness.nextBatch()
            #expect(batch.times == nil)
            batch.complete(.done("1"))
            #expect(try await job.value == "1")
        }
        #expect(tracer.finishedSpans.isEmpty)
    }
}
