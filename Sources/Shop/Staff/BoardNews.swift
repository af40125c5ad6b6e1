// One watcher's side of OrderBoard: a bounded stream that keeps the newest. News are numbered without gaps, so a gap in what arrives is
// what fell out, and the watcher is told to read the list again. Web makes server-sent events of it.
import Ordering

package enum StaffNews: Sendable, Hashable {
    case placed(OrderEvent)
    case moved(OrderEvent)
    /// Orders may have changed without a word: read the list again.
    case listChanged
}

struct NumberedNews: Sendable {
    let number: Int64
    let news: StaffNews
}

/// The news for one watcher. Ends when it is cancelled or let go.
package struct BoardNews: AsyncSequence, Sendable {
    let news: AsyncStream<NumberedNews>
    let continuation: AsyncStream<NumberedNews>.Continuation
    let known: Int64

    /// Ends the sequence; may be called from anywhere, more than once.
    package func cancel() { continuation.finish() }

    /// One pass over the news; there is only one watcher to a sequence.
    package func makeAsyncIterator() -> Iterator { Iterator(news: news.makeAsyncIterator(), known: known) }

    /// Watches the numbers for gaps.
    package struct Iterator: AsyncIteratorProtocol {
        var news: AsyncStream<NumberedNews>.Iterator
        var known: Int64
        var waiting: StaffNews?

        /// The next news; word of a gap comes before what showed it.
        package mutating func next() async -> StaffNews? {
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
