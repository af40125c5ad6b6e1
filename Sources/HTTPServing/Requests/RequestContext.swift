// The context of a request for its handler: its id, its logger and the values of its path.
import Logging
import NIOCore

/// The values of a path's named segments, at most three.
struct PathValues: Sendable {
    private var values: [(name: String, value: Substring)] = []

    subscript(name: String) -> Substring? {
        values.first { $0.name == name }?.value
    }

    mutating func append(_ name: String, _ value: Substring) { values.append((name, value)) }
}

/// The values of one request.
package struct RequestContext: Sendable {
    package let id: RequestID
    /// The connection; for event streams.
    let channel: any Channel
    /// The requests that the connection is admitted for.
    let use: ConnectionUse
    private let baseLogger: Logger
    var span: RequestSpan?
    /// The caller's traceparent header, unvalidated.
    var callerTraceparent: String?
    /// The values of the segments that the path template names in braces.
    var pathValues: PathValues

    /// Creates the context of a request on `channel`.
    init(channel: any Channel, logger: Logger, use: ConnectionUse = .requests) {
        id = RequestID()
        (self.channel, self.use) = (channel, use)
        baseLogger = logger
        pathValues = PathValues()
    }

    /// A logger with the request, trace and span ids. Created on demand, because most requests log nothing.
    package var logger: Logger {
        var logger = baseLogger
        logger[metadataKey: "requestId"] = "\(id)"
        if let own = span?.trace {
            logger[metadataKey: "traceId"] = "\(own.traceID)"
            logger[metadataKey: "spanId"] = "\(own.spanID)"
        } else if let theirs = callerTraceparent.flatMap({ TraceParent($0) }) {
            logger[metadataKey: "traceId"] = "\(theirs.traceID)"
        }
        return logger
    }

    /// The address of the connection's peer; nil if the connection was reset, so that no client reads the response.
    package var peer: NetworkAddress? { NetworkAddress(channel.remoteAddress) }

    var isDebugging: Bool { baseLogger.logLevel <= .debug }

    /// The path segment where the template has `{name}`, not percent-decoded because ids need no encoding. Empty if
    /// the template lacks the name.
    package func path(_ name: String) -> String { pathValues[name].map(String.init) ?? "" }
}
