// The error channel as an asynchronous sequence. It begins with the current condition and continues without a gap: the
// stream resumes after the newest event of the condition. The server counts the events that a slow subscriber misses.
import Wire

/// An element of the error channel.
public enum ErrorChannelElement: Hashable, Sendable {
    /// The condition at the start.
    case condition(ErrorsBody)
    /// A fault or a recovery.
    case event(ErrorEventBody)
    /// The number of events that were missed before the next one.
    case missed(Int64)
}

/// The error channel. It ends when the task is cancelled.
public struct ErrorEventSequence: AsyncSequence, Sendable {
    /// The condition, an event, or a number of missed events.
    public typealias Element = ErrorChannelElement
    /// Thrown when the server remains unreachable for longer than the configured time.
    public typealias Failure = StorefrontError

    let transport: Transport
    let known: String?

    /// Starts an iteration with its own connection.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(transport: transport, stream: known.map { Self.stream(transport, after: $0) })
    }

    private static func stream(_ transport: Transport, after known: String) -> ResumingStream {
        ResumingStream(transport: transport, path: "/v1/errors/events", lastID: known)
    }

    /// An iteration over the error channel.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let transport: Transport
        var stream: ResumingStream?
        private var backoff = ReconnectBackoff()

        init(transport: Transport, stream: ResumingStream?) { (self.transport, self.stream) = (transport, stream) }

        /// Waits for the next element.
        public mutating func next() async throws(StorefrontError) -> ErrorChannelElement? {
            guard stream != nil else {
                let errors = try await condition()
                // Without an event there is no id to resume after. For an unknown id the server sends all stored
                // events.
                stream = ErrorEventSequence.stream(transport, after: errors.events.first?.id ?? "none")
                return .condition(errors)
            }
            while let event = try await stream?.next() {
                switch event.name {
                case "fault", "recovery": return .event(try IncomingResponse.decode(event.data))
                case "missed": return .missed(try IncomingResponse.decode(event.data, as: MissedEventsBody.self).missed)
                default: continue
                }
            }
            return nil
        }

        /// Reads the condition. It waits for an unreachable server as the stream does.
        private mutating func condition() async throws(StorefrontError) -> ErrorsBody {
            while true {
                do throws(StorefrontError) {
                    return try await transport.read("/v1/errors")
                } catch {
                    try await backoff.waitBeforeReconnecting(transport, path: "/v1/errors", after: error)
                }
            }
        }
    }
}
