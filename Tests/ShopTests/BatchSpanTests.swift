// What a queue records of the jobs whose requests are traced: the spans of the wait and of the batch's stages, with the batch's times.
// Tests Sources/Shop/Queue/BatchTimes.swift without a database: the test itself does the work, batch by batch.
import InMemoryTracing
import Shop
import Support
import Testing
import Tracing

@Suite struct BatchSpanTests {
    private let tracer = InMemoryTracer()

    /// The spans below this one, in the order in which they began.
    private func spans(below request: InMemorySpan) -> [FinishedInMemorySpan] {
        tracer.finishedSpans.filter { $0.parentSpanID == request.spanID }
            .sorted { $0.startInstant.nanosecondsSinceEpoch < $1.startInstant.nanosecondsSinceEpoch }
    }

    private func submit(_ job: Int, to desk: Desk, below request: InMemorySpan?) async -> Task<String, any Error> {
        await ServiceContext.$current.withValue(request?.context) { await desk.wait(job) }
    }

    @Test("Jobs that share a batch have spans of the same times, each below its own request; who is not traced has none")
    func shared() async throws {
        try await Desk.with(tracer: tracer) { desk async throws in
            let first = desk.submit(0)
            let busy = await desk.nextBatch()
            let requests = [tracer.startSpan("one"), tracer.startSpan("two")]
            let waiting = [
                await submit(1, to: desk, below: requests[0]), await submit(2, to: desk, below: nil),
                await submit(3, to: desk, below: requests[1]),
            ]
            #expect(busy.times == nil, "a batch of which nobody is traced takes no times")
            busy.answer(.done("0"))
            let batch = await desk.nextBatch()
            #expect(batch.jobs == [1, 2, 3])
            for stage in [BatchStage.facts, .decision, .statement] { batch.times?.end(stage) }
            batch.answer(.done("1"), .done("2"), .done("3"))
            for task in [first] + waiting { _ = try await task.value }
            try await eventually("all is recorded") { tracer.finishedSpans.count >= 8 }

            let (one, two) = (spans(below: requests[0]), spans(below: requests[1]))
            #expect(one.map(\.operationName) == ["queue", "facts", "decision", "statement"])
            #expect(two.map(\.operationName) == one.map(\.operationName) && tracer.finishedSpans.count == 8)
            #expect(one.allSatisfy { $0.traceID == requests[0].traceID } && two.allSatisfy { $0.traceID == requests[1].traceID })
            for (mine, other) in zip(one, two).dropFirst() {
                #expect(mine.startInstant.nanosecondsSinceEpoch == other.startInstant.nanosecondsSinceEpoch)
                #expect(mine.endInstant.nanosecondsSinceEpoch == other.endInstant.nanosecondsSinceEpoch)
            }
            for (stage, next) in zip(one, one.dropFirst()) {
                #expect(stage.endInstant.nanosecondsSinceEpoch == next.startInstant.nanosecondsSinceEpoch, "one after the other")
            }
            #expect(one[0].startInstant.nanosecondsSinceEpoch < two[0].startInstant.nanosecondsSinceEpoch, "each waited as long as it did")
            #expect((one + two).allSatisfy { $0.attributes.get("welms.batch.size") == 3 && $0.status == nil })
            #expect(one.map { $0.attributes.get("db.system.name") } == [nil, "postgresql", nil, "postgresql"])
            #expect(one.map(\.kind) == [.internal, .client, .internal, .client])
        }
    }

    @Test("A job that loses has the spans of each of its batches, and waits anew between them")
    func lost() async throws {
        try await Desk.with(tracer: tracer) { desk async throws in
            let request = tracer.startSpan("request")
            let job = ServiceContext.$current.withValue(request.context) { desk.submit(1) }
            let first = await desk.nextBatch()
            for stage in [BatchStage.facts, .decision, .statement] { first.times?.end(stage) }
            first.answer(.lost)
            let second = await desk.nextBatch()
            for stage in [BatchStage.facts, .decision] { second.times?.end(stage) }
            second.answer(.done("placed"))
            #expect(try await job.value == "placed")
            try await eventually("all is recorded") { tracer.finishedSpans.count >= 7 }
            let spans = spans(below: request)
            #expect(spans.map(\.operationName) == ["queue", "facts", "decision", "statement", "queue", "facts", "decision"])
            for (span, next) in zip(spans, spans.dropFirst()) {
                #expect(span.endInstant.nanosecondsSinceEpoch <= next.startInstant.nanosecondsSinceEpoch + 1_000_000)
            }
        }
    }

    @Test("A stage that fails is the last one, and says so", arguments: [0, 1, 2])
    func failed(stages: Int) async throws {
        try await Desk.with(tracer: tracer) { desk async throws in
            let request = tracer.startSpan("request")
            let job = ServiceContext.$current.withValue(request.context) { desk.submit(1) }
            let batch = await desk.nextBatch()
            for stage in [BatchStage.facts, .decision].prefix(stages) { batch.times?.end(stage) }
            batch.times?.fail()
            batch.answer(.done("failed"))
            _ = try await job.value
            try await eventually("all is recorded") { tracer.finishedSpans.count >= stages + 2 }
            let spans = spans(below: request)
            #expect(spans.map(\.operationName) == Array(["queue", "facts", "decision", "statement"].prefix(stages + 2)))
            #expect(spans.map { $0.status?.code == .error } == Array(repeating: false, count: stages + 1) + [true])
        }
    }

    @Test("A job that waits too long has the span of its wait, which says so")
    func refused() async throws {
        try await Desk.with(patience: .milliseconds(50), tracer: tracer) { desk async throws in
            let first = desk.submit(0)
            let busy = await desk.nextBatch()
            let request = tracer.startSpan("request")
            let waiting = await submit(1, to: desk, below: request)
            await #expect(throws: ShopFault.waitedTooLong) { try await waiting.value }
            try await eventually("it is recorded") { !tracer.finishedSpans.isEmpty }
            let spans = spans(below: request)
            #expect(spans.map(\.operationName) == ["queue"] && spans.first?.status?.code == .error)
            busy.answer(.done("0"))
            _ = try await first.value
        }
    }

    @Test("Without a tracer nothing is recorded, also of a job whose task has a span")
    func off() async throws {
        try await Desk.with { desk async throws in
            let request = tracer.startSpan("request")
            let job = ServiceContext.$current.withValue(request.context) { desk.submit(1) }
            let batch = await desk.nextBatch()
            #expect(batch.times == nil)
            batch.answer(.done("1"))
            #expect(try await job.value == "1")
        }
        #expect(tracer.finishedSpans.isEmpty)
    }
}
