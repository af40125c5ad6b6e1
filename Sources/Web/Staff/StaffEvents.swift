// Orders and faults in one stream, so that the page of staff needs one connection. Merges the news of OrderBoard with the
// error channel.
import ErrorChannel
import Shop

/// The events of one watcher. Both sources and the buffer are bounded. A watcher that is so slow that an event would be
/// lost is disconnected: it reads everything again when it reconnects.
struct StaffEvents: AsyncSequence, Sendable {
    typealias Element = ServerSentEvent

    /// How many events wait for a slow watcher.
    static let buffer = 256

    private let events: AsyncStream<ServerSentEvent>
    private let news: BoardNews
    private let faults: ErrorSubscription

    init(_ news: BoardNews, _ faults: ErrorSubscription) {
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

    /// Ends the sequence; may be called from anywhere, more than once.
    func cancel() {
        news.cancel()
        faults.cancel()
    }

    func makeAsyncIterator() -> AsyncStream<ServerSentEvent>.Iterator { events.makeAsyncIterator() }

    /// Ends the stream with its first source, and when its buffer is full.
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
