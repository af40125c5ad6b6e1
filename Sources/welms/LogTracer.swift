// Traces without a collector: --trace-log writes each span as a line of the log.
// swift-distributed-tracing has no tracer that writes a log, and other tracers send spans to a collector.
import HTTPServing
import Tracing

/// A tracer that logs sampled spans and propagates `traceparent`.
struct LogTracer: Tracer {
    /// One in `oneIn` of the traces that begin in this server is logged; nil: none. A caller's trace is logged if its
    /// `traceparent` marks it as sampled.
    let oneIn: UInt64?
    let write: @Sendable ([UInt8]) -> Void

    func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant,
        function: String, file fileID: String, line: UInt
    ) -> LoggedSpan {
        var context = context()
        let parent = context.traceParent
        let own =
            if let parent {
                TraceParent(childOf: parent)
            } else {
                TraceParent(newTraceSampled: { id in oneIn.map { id % $0 == 0 } ?? false })
            }
        context.traceParent = own
        return LoggedSpan(
            operationName, kind, context: context, trace: own, parent: parent?.spanID,
            start: own.isSampled ? instant() : nil, write: write)
    }

    func forceFlush() {}

    func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
    )
    where Extract.Carrier == Carrier {
        context.traceParent = extractor.extract(key: "traceparent", from: carrier).flatMap { TraceParent($0) }
    }

    /// Injects no `tracestate`: this tracer adds nothing to it.
    func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    )
    where Inject.Carrier == Carrier {
        if let trace = context.traceParent { injector.inject(trace.header, forKey: "traceparent", into: &carrier) }
    }
}

extension LogTracer {
    /// The tracer that the settings ask for; nil: no spans are logged.
    static func read(_ settings: Settings, _ flag: String?) throws(CommandFailure) -> LogTracer? {
        let allowed = "a number N from 1 to 1000000 to log one trace in N, or callers, or off"
        let sampling = try settings.parse(.traceLog, flag, expecting: allowed) { text -> Sampling? in
            switch text {
            case "off": .off
            case "callers": .callers
            default: UInt64(text).flatMap { (1...1_000_000).contains($0) ? .oneIn($0) : nil }
            }
        }
        switch sampling {
        case nil, .off?: return nil
        case .callers?: return LogTracer(oneIn: nil, write: LogOutput.write)
        case .oneIn(let count)?: return LogTracer(oneIn: count, write: LogOutput.write)
        }
    }

    private enum Sampling {
        case off, callers
        case oneIn(UInt64)
    }
}

extension ServiceContext {
    /// The current span's `traceparent`.
    fileprivate(set) var traceParent: TraceParent? {
        get { self[TraceParentKey.self] }
        set { self[TraceParentKey.self] = newValue }
    }
}

private enum TraceParentKey: ServiceContextKey {
    typealias Value = TraceParent
}
