// One listener's side of the broadcast: a bounded AsyncStream that keeps the newest, and the count of what fell out of it.
// Event numbers have no gaps, so a gap in what arrives is exactly what was missed; nobody has to count on the other side.

/// A sequence of deliveries for one listener. It ends when it is cancelled, when its task is, or when it is let go.
package struct ErrorSubscription: AsyncSequence, Sendable {
    let events: AsyncStream<ErrorEvent>
    let continuation: AsyncStream<ErrorEvent>.Continuation
    /// The number of the last event the listener knows, 0 for none.
    let known: Int64

    /// Ends the sequence after what it holds already; may be called from anywhere, more than once.
    package func cancel() { continuation.finish() }

    /// One pass over the deliveries; there is only one listener to a subscription.
    package func makeAsyncIterator() -> Iterator { Iterator(events: events.makeAsyncIterator(), known: known) }

    /// Watches the numbers for gaps.
    package struct Iterator: AsyncIteratorProtocol {
        var events: AsyncStream<ErrorEvent>.Iterator
        var known: Int64
        var waiting: ErrorEvent?

        /// The next delivery; word of a gap comes before the event that showed it.
        package mutating func next() async -> Delivery? {
            if let event = waiting {
                waiting = nil
                return .event(event)
            }
            guard let event = await events.next() else { return nil }
            let missed = event.id.number - known - 1
            known = event.id.number
            guard missed > 0 else { return .event(event) }
            waiting = event
            return .missed(missed)
        }
    }
}
