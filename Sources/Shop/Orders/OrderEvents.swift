// One follower's side of OrderWatch: the steps it does not know yet, one after the other, until the order is at its end.
// Web makes server-sent events of them.
import Ordering

/// The steps of one order after a certain one. Ends after the order's last possible step, when it is cancelled, or when it is let go.
package struct OrderEvents: AsyncSequence, Sendable {
    let first: OrderHistory
    let rest: AsyncStream<OrderHistory>
    let continuation: AsyncStream<OrderHistory>.Continuation
    let known: Int

    /// Ends the sequence; may be called from anywhere, more than once.
    package func cancel() { continuation.finish() }

    /// One pass over the steps; there is only one follower to a sequence.
    package func makeAsyncIterator() -> Iterator { Iterator(history: first, rest: rest.makeAsyncIterator(), known: known) }

    package struct Iterator: AsyncIteratorProtocol {
        var history: OrderHistory
        var rest: AsyncStream<OrderHistory>.Iterator
        var known: Int

        /// The next step, as soon as the order takes it.
        package mutating func next() async -> OrderEvent? {
            while true {
                if let event = history.event(known + 1) {
                    known += 1
                    return event
                }
                guard !history.isOver, let newer = await rest.next() else { return nil }
                history = newer
            }
        }
    }
}
