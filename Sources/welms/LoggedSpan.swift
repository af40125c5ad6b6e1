// The spans of LogTracer.
import HTTPServing
import Ordering
import Synchronization
import Tracing
import Wire

/// A span that is logged when it ends, if its trace is sampled. Events and links are ignored: nothing here adds any.
final class LoggedSpan: Span {
    private struct State {
        var name: String
        var attributes: SpanAttributes = [:]
        var hasFailed = false
        var hasEnded = false
    }

    let context: ServiceContext
    private let trace: TraceParent
    private let parent: String?
    private let kind: SpanKind
    /// Nanoseconds since 1970; nil: the span is not sampled.
    private let start: UInt64?
    private let write: @Sendable ([UInt8]) -> Void
    private let state: Mutex<State>

    /// - Parameters:
    ///   - parent: The id of the parent span, of this server or of its caller.
    ///   - start: The start of the span; nil: the span is not sampled.
    init(
        _ name: String, _ kind: SpanKind, context: ServiceContext, trace: TraceParent, parent: String?,
        start: (any TracerInstant)?,
        write: @escaping @Sendable ([UInt8]) -> Void
    ) {
        (self.context, self.trace, self.parent, self.kind, self.write) = (context, trace, parent, kind, write)
        self.start = start?.nanosecondsSinceEpoch
        state = Mutex(State(name: name))
    }

    var operationName: String {
        get { state.withLock { $0.name } }
        set { state.withLock { $0.name = newValue } }
    }

    var attributes: SpanAttributes {
        get { state.withLock { $0.attributes } }
        set { if start != nil { state.withLock { $0.attributes = newValue } } }
    }

    var isRecording: Bool { start != nil && state.withLock { !$0.hasEnded } }

    func setStatus(_ status: SpanStatus) { state.withLock { $0.hasFailed = status.code == .error } }
    func addEvent(_ event: SpanEvent) {}
    func addLink(_ link: SpanLink) {}

    /// Records only the error's type: its description may contain personal data of a guest.
    func recordError<Instant: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {
        self.attributes["error.type"] = "\(type(of: error))"
    }

    func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        guard let start else { return }
        let ended: State? = state.withLock { state in
            if state.hasEnded { return nil }
            state.hasEnded = true
            return state
        }
        guard let ended else { return }
        let end = instant().nanosecondsSinceEpoch
        write(line(ended, from: start, to: max(start, end)))
    }

    /// `{"time", "level", "message": "span", "traceId", …}`. `start` is in µs since 1970, `duration` in µs.
    private func line(_ ended: State, from start: UInt64, to end: UInt64) -> [UInt8] {
        var attributes: [String: Attribute] = [:]
        ended.attributes.forEach { attributes[$0.escapingControlCharacters] = Attribute($1) }
        var writer = JSONWriter(capacity: 512)
        writer.object { line in
            line.field("time", Instant(microseconds: Int64(clamping: end / 1000)).rfc3339)
            line.field("level", "info")
            line.field("message", "span")
            line.field("traceId", trace.traceID)
            line.field("spanId", trace.spanID)
            line.fieldIfPresent("parentSpanId", parent)
            line.field("name", ended.name.escapingControlCharacters)
            line.field("kind", "\(kind)")
            line.field("start", Int64(clamping: start / 1000))
            line.field("duration", Int64(clamping: (end - start) / 1000))
            line.field("failed", ended.hasFailed)
            line.field("attributes", attributes)
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }
}

/// An attribute's value as JSON.
private enum Attribute: JSONWritable {
    case integer(Int64)
    case boolean(Bool)
    case text(String)

    init(_ value: SpanAttribute) {
        switch value {
        case .int64(let number): self = .integer(number)
        case .int32(let number): self = .integer(Int64(number))
        case .bool(let flag): self = .boolean(flag)
        case .string(let text): self = .text(text)
        default: self = .text("\(value)")
        }
    }

    func write(to writer: inout JSONWriter) {
        switch self {
        case .integer(let number): writer.integer(number)
        case .boolean(let flag): writer.boolean(flag)
        case .text(let text): writer.string(text.escapingControlCharacters)
        }
    }
}
