// Merges order events and the error channel into one stream, so that the staff page needs a single connection.
import ErrorChannel
import HTTPServing
import Shop

/// The events of one client. Sources and buffer are bounded. A client too slow for its buffer is disconnected, and
/// reloads everything when it reconnects.
struct StaffEvents: AsyncSequence, Sendable {
    typealias Element = ServerSentEvent

    /// The number of events buffered for a slow client.
    static let buffer = 256

    private let events: AsyncStream<ServerSentEvent>
    private let news: BoardEventStream
    private let faults: ErrorSubscription

    init(_ news: BoardEventStream, _ faults: ErrorSubscription) {
        (self.news, self.faults) = (news, faults)
        let (events, continuation) = AsyncStream.makeStream(
            of: ServerSentEvent.self, bufferingPolicy: .bufferingOldest(Self.buffer))
        self.events = events
        continuation.onTermination = { _ in
            news.cancel()
            faults.cancel()
        }
        Self.forward(news.map(ServerSentEvent.init), to: continuation)
        Self.forward(faults.map(ServerSentEvent.init), to: continuation)
    }

    /// Ends the sequence, from any thread, possibly more than once.
    func cancel() {
        news.cancel()
        faults.cancel()
    }

    func makeAsyncIterator() -> AsyncStream<ServerSentEvent>.Iterator { events.makeAsyncIterator() }

    /// Ends the stream with its first source, or when its buffer is full.
    private static func forward<Events: AsyncSequence & Sendable>(
        _ events: Events, to continuation: AsyncStream<ServerSentEvent>.Continuation
    ) where Events.Element == ServerSentEvent, Events.Failure == Never {
        Task {
            for await event in events {
                guard case .enqueued = continuation.yield(event) else { break }
            }
            continuation.finish()
        }
    }
}
