// The staff board's event stream for one client: bounded, with consecutive numbers. A gap in the numbers means that
// events were dropped, so the client gets `listChanged` and reloads the list.
import Ordering

/// An event of the staff board.
package enum BoardEvent: Sendable, Hashable {
    /// An order was placed.
    case placed(OrderEvent)
    /// An order changed its state.
    case moved(OrderEvent)
    /// Events were lost: the client has to reload the list.
    case listChanged
}

/// An event with its number.
struct NumberedBoardEvent: Sendable {
    let number: Int64
    let news: BoardEvent
}

/// The event stream of one client. Ends when it is cancelled or released.
package struct BoardEventStream: AsyncSequence, Sendable {
    let news: AsyncStream<NumberedBoardEvent>
    let continuation: AsyncStream<NumberedBoardEvent>.Continuation
    let lastNumber: Int64

    /// Ends the sequence. Any thread may call it, more than once.
    package func cancel() { continuation.finish() }

    /// Iterates over the events. A sequence has only one iterator.
    package func makeAsyncIterator() -> Iterator { Iterator(news: news.makeAsyncIterator(), known: lastNumber) }

    /// Detects gaps in the numbers.
    package struct Iterator: AsyncIteratorProtocol {
        var news: AsyncStream<NumberedBoardEvent>.Iterator
        var known: Int64
        var waiting: BoardEvent?

        /// The next event. `listChanged` comes before the event that revealed a gap.
        package mutating func next() async -> BoardEvent? {
            if let waiting {
                self.waiting = nil
                return waiting
            }
            guard let next = await news.next() else { return nil }
            let hasGap = next.number > known + 1
            known = next.number
            guard hasGap, next.news != .listChanged else { return next.news }
            waiting = next.news
            return .listChanged
        }
    }
}
