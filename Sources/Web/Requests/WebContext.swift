// What a handler knows of its request beside the request itself: its id, its logger, the ids in its path.
// Made by HTTPConnections for each request; filled by Responder. Read next: Serving/Responder.swift.
import Logging
import NIOCore
import Ordering

/// The values of a path's named segments; a path of ours has three at most.
struct PathValues: Sendable {
    private var values: [(name: String, value: Substring)] = []

    subscript(name: String) -> Substring? {
        values.first { $0.name == name }?.value
    }

    mutating func append(_ name: String, _ value: Substring) { values.append((name, value)) }
}

/// One request's own values.
package struct WebContext: Sendable {
    package let id: RequestID
    /// The connection; for event streams.
    let channel: any Channel
    /// The requests that the connection is admitted for.
    let use: ConnectionUse
    private let baseLogger: Logger
    var span: RequestSpan?
    /// The traceparent that its caller sent, whatever stands in it.
    var caller: String?
    /// What stood in the path where its template has names in braces.
    var pathValues: PathValues

    /// Of a request that has come in over `channel`.
    init(channel: any Channel, logger: Logger, use: ConnectionUse = .requests) {
        id = RequestID()
        (self.channel, self.use) = (channel, use)
        baseLogger = logger
        pathValues = PathValues()
    }

    /// A logger that writes the ids of the request, its trace and its span on each line. Made when asked for: most requests log nothing.
    package var logger: Logger {
        var logger = baseLogger
        logger[metadataKey: "requestId"] = "\(id)"
        if let own = span?.trace {
            logger[metadataKey: "traceId"] = "\(own.traceID)"
            logger[metadataKey: "spanId"] = "\(own.spanID)"
        } else if let theirs = caller.flatMap({ TraceParent($0) }) {
            logger[metadataKey: "traceId"] = "\(theirs.traceID)"
        }
        return logger
    }

    var isDebugging: Bool { baseLogger.logLevel <= .debug }

    /// The text in the path where the template has `{name}`, as it came, not decoded: our ids need no percent signs.
    /// Empty if the template has no such name.
    package func path(_ name: String) -> String { pathValues[name].map(String.init) ?? "" }

    /// The integer in the path where the template has `{name}`; a malformed one is `nil` and answered like an unknown one.
    package func pathNumber(_ name: String) -> Int64? { Int64(canonicalDigits: path(name)) }
}
