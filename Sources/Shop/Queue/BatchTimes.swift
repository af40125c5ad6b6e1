// When the stages of a batch ended, and the spans that they become for each of its jobs whose request is traced. Made by BatchQueue for a
// batch that has such a job, marked by CheckoutQueue and BasketQueue. The times are the batch's, taken once, however many share it.
//
// PostgreSQL is not told of the trace. A comment in the statement's text (https://google.github.io/sqlcommenter) would make each text a new
// one, and none could be prepared; and a batch belongs to as many traces as it has jobs.
import Synchronization
import Tracing

/// What a batch does, in this order.
package enum BatchStage: String, Sendable {
    /// Gathers what the jobs have to be decided from: reads it, or finds that the server holds it all.
    case facts
    /// Decides, without the database.
    case decision
    /// Writes what was decided. A batch in which there is nothing to write has no such stage.
    case statement
}

/// The times of one batch.
package final class BatchTimes: Sendable {
    private struct Mark {
        let stage: BatchStage
        let end: ContinuousClock.Instant
        let asksDatabase: Bool
        let hasFailed: Bool
    }

    private let begin: ContinuousClock.Instant
    /// `begin` by the clock that traces go by, nanoseconds since 1970. All other times are counted from here, so that a clock that is set
    /// meanwhile changes no duration.
    private let epoch: UInt64
    private let marks = Mutex<[Mark]>([])

    init(begin: ContinuousClock.Instant) {
        self.begin = begin
        // Both clocks are read now, and what has passed since then is taken off: a thread that is interrupted here makes no batch later.
        let (since, now) = (begin.duration(to: .now), DefaultTracerClock.now)
        epoch = now.nanosecondsSinceEpoch &- since.wholeNanoseconds
    }

    /// A stage is over, and the next one begins.
    package func end(_ stage: BatchStage, hasFailed: Bool = false) {
        marks.withLock { $0.append(Mark(stage: stage, end: .now, asksDatabase: stage != .decision, hasFailed: hasFailed)) }
    }

    /// Now, for who learns only later that a stage is over.
    var now: ContinuousClock.Instant { .now }

    /// The facts were gathered then, without the database.
    func endFacts(heldAt gathered: ContinuousClock.Instant?) {
        if let gathered { marks.withLock { $0.append(Mark(stage: .facts, end: gathered, asksDatabase: false, hasFailed: false)) } }
    }

    /// The batch is over, for the stage it was in has failed.
    package func fail() {
        marks.withLock { marks in
            let stage: BatchStage =
                switch marks.last?.stage {
                case nil: .facts
                case .facts?: .decision
                case .decision?, .statement?: .statement
                }
            marks.append(Mark(stage: stage, end: .now, asksDatabase: stage != .decision, hasFailed: true))
        }
    }

    /// Records the spans of one job: how long it waited for the batch, then the batch's stages.
    /// - Parameter size: How many jobs the batch had.
    func record(_ trace: JobTrace, size: Int, by tracer: any Tracer) {
        var start = begin
        let wait = span("queue", .internal, from: trace.since, trace, tracer)
        wait.attributes["welms.batch.size"] = size
        wait.end(at: instant(begin))
        for mark in marks.withLock({ $0 }) {
            let span = span(mark.stage.rawValue, mark.asksDatabase ? .client : .internal, from: start, trace, tracer)
            span.attributes["welms.batch.size"] = size
            if mark.asksDatabase { span.attributes["db.system.name"] = "postgresql" }
            if mark.hasFailed { span.setStatus(SpanStatus(code: .error)) }
            span.end(at: instant(mark.end))
            start = mark.end
        }
    }

    /// Records the span of a job that was refused, for no batch took it until now.
    func recordRefusal(_ trace: JobTrace, by tracer: any Tracer) {
        let wait = span("queue", .internal, from: trace.since, trace, tracer)
        wait.setStatus(SpanStatus(code: .error))
        wait.end(at: instant(begin))
    }

    private func span(
        _ name: String, _ kind: SpanKind, from start: ContinuousClock.Instant, _ trace: JobTrace, _ tracer: any Tracer
    ) -> any Span {
        tracer.startSpan(name, context: trace.request, ofKind: kind, at: instant(start))
    }

    private func instant(_ instant: ContinuousClock.Instant) -> DefaultTracerClock.Timestamp {
        DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: epoch &+ begin.duration(to: instant).wholeNanoseconds)
    }
}

extension Duration {
    /// To be added with overflow: a negative one comes round.
    fileprivate var wholeNanoseconds: UInt64 {
        UInt64(bitPattern: components.seconds &* 1_000_000_000 &+ components.attoseconds / 1_000_000_000)
    }
}

/// The trace of a job that waits.
struct JobTrace: Sendable {
    /// The span of its request.
    let request: ServiceContext
    /// Since when it waits for a batch: its submission, or the end of a batch that it has to repeat.
    var since: ContinuousClock.Instant
}
