// Traces without a collector: each span is a line of the log, by --trace-log. By hand, because swift-distributed-tracing brings none that
// writes, and those that send need a collector; any of them could be given to the shop in its place. Passes on traceparent. Next: LoggedSpan.swift.
import Tracing
import Web

struct LogTracer: Tracer {
    /// Of how many traces that begin here one is logged; nil: of none. A caller's trace is logged where the caller says so.
    let oneIn: UInt64?
    let write: @Sendable ([UInt8]) -> Void

    func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind, at instant: @autoclosure () -> Instant,
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
            operationName, kind, context: context, trace: own, parent: parent?.spanID, start: own.isSampled ? instant() : nil, write: write)
    }

    func forceFlush() {}

    func extract<Carrier, Extract: Extractor>(_ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract)
    where Extract.Carrier == Carrier {
        context.traceParent = extractor.extract(key: "traceparent", from: carrier).flatMap { TraceParent($0) }
    }

    /// Without `tracestate`, which is for tracers that add to it.
    func inject<Carrier, Inject: Injector>(_ context: ServiceContext, into carrier: inout Carrier, using injector: Inject)
    where Inject.Carrier == Carrier {
        if let trace = context.traceParent { injector.inject(trace.header, forKey: "traceparent", into: &carrier) }
    }
}

extension LogTracer {
    /// What the settings say: nil where spans are not logged. They go where the log goes.
    static func read(_ settings: Settings, _ flag: String?) throws(CommandFailure) -> LogTracer? {
        let allowed = "one in how many, from 1 to 1000000, or callers, or off"
        let sampling = try settings.parse(.traceLog, flag, write: allowed) { text -> Sampling? in
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
    /// The span that is current, as others are told of it.
    fileprivate(set) var traceParent: TraceParent? {
        get { self[TraceParentKey.self] }
        set { self[TraceParentKey.self] = newValue }
    }
}

private enum TraceParentKey: ServiceContextKey {
    typealias Value = TraceParent
}
