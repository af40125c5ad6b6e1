// The steps of one order for one subscriber, until the order reaches a final state.
import Ordering

/// The steps of an order after a known one. Ends in a final state, when cancelled, or when the stream is released.
package struct OrderEventStream: AsyncSequence, Sendable {
    let first: OrderHistory
    let rest: AsyncStream<OrderHistory>
    let continuation: AsyncStream<OrderHistory>.Continuation
    let known: Int

    /// Ends the sequence. Any thread may call it, more than once.
    package func cancel() { continuation.finish() }

    /// Iterates over the steps. A sequence has only one iterator.
    package func makeAsyncIterator() -> Iterator {
        Iterator(history: first, rest: rest.makeAsyncIterator(), known: known)
    }

    /// Yields the steps in order.
    package struct Iterator: AsyncIteratorProtocol {
        var history: OrderHistory
        var rest: AsyncStream<OrderHistory>.Iterator
        var known: Int

        /// The next step, as soon as it happens; nil at the end.
        package mutating func next() async -> OrderEvent? {
            while true {
                if let event = history.event(number: known + 1) {
                    known += 1
                    return event
                }
                guard !history.isOver, let newer = await rest.next() else { return nil }
                history = newer
            }
        }
    }
}
