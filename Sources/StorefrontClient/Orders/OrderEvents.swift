// The states of one order as they come. The stream resumes by itself; the server tells exactly what came after the last state that was told.
// Made by StorefrontClient.orderEvents. Read next: Events/ResumingStream.swift.
import Wire

/// The states of an order in their order, each once.
public struct OrderEvents: AsyncSequence, Sendable {
    /// A state the order came to.
    public typealias Element = OrderEventBody
    /// Told when there is no such order, or the server stays away for longer than the configuration's patience.
    public typealias Failure = StorefrontError

    let exchange: Exchange
    let path: String
    let token: String?
    let known: String?

    /// One pass, on a connection of its own.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(stream: ResumingStream(exchange: exchange, path: path, token: token, lastID: known))
    }

    /// A place in the order's history.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private static let last: Set = ["delivered", "cancelled", "rejected"]
        var stream: ResumingStream
        var isAtEnd = false

        /// The next state; nil after the last one.
        public mutating func next() async throws(StorefrontError) -> OrderEventBody? {
            while !isAtEnd, let event = try await stream.next() {
                // A newer server may tell more than this version knows.
                guard event.name == "status" else { continue }
                let state = try Incoming.decode(event.data, as: OrderEventBody.self)
                isAtEnd = Self.last.contains(state.state)
                return state
            }
            return nil
        }
    }
}
