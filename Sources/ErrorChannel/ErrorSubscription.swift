// A subscriber's bounded AsyncStream, which keeps the newest events, and the detection of missed events.
// Event numbers have no gaps, so a gap between two received numbers is exactly the number of missed events.

/// A sequence of deliveries for one subscriber. It ends when it is cancelled, when its task is, or when it is released.
package struct ErrorSubscription: AsyncSequence, Sendable {
    let events: AsyncStream<ErrorEvent>
    let continuation: AsyncStream<ErrorEvent>.Continuation
    /// The number of the last event that the subscriber knows, or 0.
    let known: Int64

    /// Ends the sequence after the events that are already buffered. Safe to call from anywhere, more than once.
    package func cancel() { continuation.finish() }

    /// Creates the iterator. A subscription supports only one.
    package func makeAsyncIterator() -> Iterator { Iterator(events: events.makeAsyncIterator(), known: known) }

    /// Detects gaps in the event numbers.
    package struct Iterator: AsyncIteratorProtocol {
        var events: AsyncStream<ErrorEvent>.Iterator
        var known: Int64
        var pending: ErrorEvent?

        /// Returns the next delivery. A number of missed events precedes the event that revealed the gap.
        package mutating func next() async -> Delivery? {
            if let event = pending {
                pending = nil
                return .event(event)
            }
            guard let event = await events.next() else { return nil }
            let missed = event.id.number - known - 1
            known = event.id.number
            guard missed > 0 else { return .event(event) }
            pending = event
            return .missed(missed)
        }
    }
}
