// The error channel as it happens. It begins with the condition of that moment, and nothing falls between that and the first event: the
// stream goes on after the newest event of the condition. What a slow or absent listener missed is counted by the server and told.
// Made by StorefrontClient.errorEvents. Read next: Events/ResumingStream.swift.
import Wire

/// What a listener of the error channel hears.
public enum ErrorNews: Hashable, Sendable {
    /// How things are at the beginning.
    case condition(ErrorsBody)
    /// A fault or a recovery.
    case event(ErrorEventBody)
    /// So many events went by before the next one.
    case missed(Int64)
}

/// The error channel, until the task is cancelled.
public struct ErrorEvents: AsyncSequence, Sendable {
    /// A piece of news.
    public typealias Element = ErrorNews
    /// Told when the server stays away for longer than the configuration's patience.
    public typealias Failure = StorefrontError

    let exchange: Exchange
    let known: String?

    /// One pass, on a connection of its own.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(exchange: exchange, stream: known.map { Self.stream(exchange, after: $0) })
    }

    private static func stream(_ exchange: Exchange, after known: String) -> ResumingStream {
        ResumingStream(exchange: exchange, path: "/v1/errors/events", lastID: known)
    }

    /// A place in the channel.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let exchange: Exchange
        var stream: ResumingStream?
        private var patience = StreamPatience()

        init(exchange: Exchange, stream: ResumingStream?) { (self.exchange, self.stream) = (exchange, stream) }

        /// The next piece of news.
        public mutating func next() async throws(StorefrontError) -> ErrorNews? {
            guard stream != nil else {
                let errors = try await condition()
                // An id of no life gets all that happened in this one: nothing had.
                stream = ErrorEvents.stream(exchange, after: errors.events.first?.id ?? "none")
                return .condition(errors)
            }
            while let event = try await stream?.next() {
                switch event.name {
                case "fault", "recovery": return .event(try Incoming.decode(event.data))
                case "missed": return .missed(try Incoming.decode(event.data, as: MissedEventsBody.self).missed)
                default: continue
                }
            }
            return nil
        }

        /// The condition, for which a server that is away is waited for like for the stream.
        private mutating func condition() async throws(StorefrontError) -> ErrorsBody {
            while true {
                do throws(StorefrontError) {
                    return try await exchange.read("/v1/errors")
                } catch {
                    try await patience.pause(exchange, path: "/v1/errors", after: error)
                }
            }
        }
    }
}
