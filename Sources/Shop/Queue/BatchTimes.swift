// Records when the stages of a batch ended, as spans of each traced job. The times are taken once per batch.
//
// PostgreSQL gets no trace context: a comment in the statement (https://google.github.io/sqlcommenter) would prevent
// prepared statements, and a batch belongs to as many traces as it has jobs.
import Synchronization
import Tracing

/// The stages of a batch, in this order.
package enum BatchStage: String, Sendable {
    /// Reads the facts, or finds all of them in the cache.
    case facts
    /// Decides without the database.
    case decision
    /// Writes the result. Missing if there is nothing to write.
    case statement
}

/// The times of one batch.
package final class BatchTimes: Sendable {
    private struct Mark {
        let stage: BatchStage
        let end: ContinuousClock.Instant
        let queriesDatabase: Bool
        let hasFailed: Bool
    }

    private let begin: ContinuousClock.Instant
    /// `begin` by the tracer's clock, in nanoseconds since 1970. All other times are relative to it, so that a clock
    /// change affects no duration.
    private let beginNanoseconds: UInt64
    private let marks = Mutex<[Mark]>([])

    init(begin: ContinuousClock.Instant) {
        self.begin = begin
        // Subtracts the time since `begin` from the tracer's clock. The thread may have been interrupted since then.
        let (since, now) = (begin.duration(to: .now), DefaultTracerClock.now)
        beginNanoseconds = now.nanosecondsSinceEpoch &- since.wholeNanoseconds
    }

    /// Ends a stage and begins the next one.
    package func end(_ stage: BatchStage, hasFailed: Bool = false) {
        marks.withLock {
            $0.append(Mark(stage: stage, end: .now, queriesDatabase: stage != .decision, hasFailed: hasFailed))
        }
    }

    /// The current time. Pass it to `endFacts(cachedAt:)` if the cached facts turn out to be sufficient.
    var now: ContinuousClock.Instant { .now }

    /// Ends the facts stage at the earlier time when the cache returned the facts. Nil does nothing.
    func endFacts(cachedAt gathered: ContinuousClock.Instant?) {
        if let gathered {
            marks.withLock { $0.append(Mark(stage: .facts, end: gathered, queriesDatabase: false, hasFailed: false)) }
        }
    }

    /// Ends the current stage as failed, and with it the batch.
    package func fail() {
        marks.withLock { marks in
            let stage: BatchStage =
                switch marks.last?.stage {
                case nil: .facts
                case .facts?: .decision
                case .decision?, .statement?: .statement
                }
            marks.append(Mark(stage: stage, end: .now, queriesDatabase: stage != .decision, hasFailed: true))
        }
    }

    /// Records the spans of one job: its waiting time and the stages of its batch.
    /// - Parameter size: The number of jobs in the batch.
    func record(_ trace: JobTrace, size: Int, by tracer: any Tracer) {
        var start = begin
        let wait = span("queue", .internal, from: trace.since, trace, tracer)
        wait.attributes["welms.batch.size"] = size
        wait.end(at: instant(begin))
        for mark in marks.withLock({ $0 }) {
            let span = span(mark.stage.rawValue, mark.queriesDatabase ? .client : .internal, from: start, trace, tracer)
            span.attributes["welms.batch.size"] = size
            if mark.queriesDatabase { span.attributes["db.system.name"] = "postgresql" }
            if mark.hasFailed { span.setStatus(SpanStatus(code: .error)) }
            span.end(at: instant(mark.end))
            start = mark.end
        }
    }

    /// Records the span of a job that timed out before a batch took it.
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
        DefaultTracerClock.Timestamp(
            nanosecondsSinceEpoch: beginNanoseconds &+ begin.duration(to: instant).wholeNanoseconds)
    }
}

extension Duration {
    /// The nanoseconds in two's complement. Adding a negative duration with `&+` subtracts its magnitude.
    fileprivate var wholeNanoseconds: UInt64 {
        UInt64(bitPattern: components.seconds &* 1_000_000_000 &+ components.attoseconds / 1_000_000_000)
    }
}

/// The trace of a waiting job.
struct JobTrace: Sendable {
    /// The trace context of the job's request.
    let request: ServiceContext
    /// When the job began to wait for a batch: at its submission, or at the end of the batch that returned it for a
    /// retry.
    var since: ContinuousClock.Instant
}
