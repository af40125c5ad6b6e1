// What a handler knows of its request beside the request itself: its id, its logger, the ids in its path.
// Made by HTTPConnections for each request; filled by Responder. Read next: Responder.swift.

import Logging
import NIOCore

/// One request's own values.
public struct WebContext: Sendable {
    /// The request's name.
    public let id: RequestID
    /// The connection; for event streams.
    let channel: any Channel
    private let baseLogger: Logger
    /// The trace this request belongs to: the span that the caller named, or where requests are traced its own.
    private var trace: TraceParent?
    private var hasOwnSpan = false
    /// What stood in the path where its template has names in braces.
    var pathValues: PathValues

    /// Of a request that has come in over `channel`.
    init(channel: any Channel, logger: Logger) {
        id = RequestID()
        self.channel = channel
        baseLogger = logger
        pathValues = PathValues()
    }

    /// A logger that writes the ids of the request, its trace and its span on each line. Made when asked for: most requests log nothing.
    public var logger: Logger {
        var logger = baseLogger
        logger[metadataKey: "requestId"] = "\(id)"
        if let trace {
            logger[metadataKey: "traceId"] = "\(trace.traceID)"
            if hasOwnSpan { logger[metadataKey: "spanId"] = "\(trace.spanID)" }
        }
        return logger
    }

    /// Takes over the trace from the request's own span, or from what its caller says.
    mutating func note(_ span: RequestSpan?, orCaller header: String?) {
        trace = span?.trace
        hasOwnSpan = trace != nil
        if trace == nil { trace = header.flatMap { TraceParent($0) } }
    }

    var isDebugging: Bool { baseLogger.logLevel <= .debug }

    /// The text in the path where the template has `{name}`, as it came, not decoded: our ids need no percent signs.
    /// Empty if the template has no such name.
    public func path(_ name: String) -> String {
        pathValues[name].map(String.init) ?? ""
    }

    /// The integer in the path where the template has `{name}`; a malformed one is `nil` and answered like an unknown one.
    /// Strict: digits without sign, plus or leading zero, so that each thing has one address.
    public func pathNumber(_ name: String) -> Int64? {
        let text = path(name)
        let isCanonical = text.utf8.allSatisfy { 0x30...0x39 ~= $0 } && (text.utf8.first != 0x30 || text.utf8.count == 1)
        return isCanonical ? Int64(text) : nil
    }
}
