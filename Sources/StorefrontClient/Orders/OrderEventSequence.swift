// The events of one order as an asynchronous sequence, without gaps or duplicates after a reconnect.
import Wire

/// The changes of an order in sequence, each exactly once.
public struct OrderEventSequence: AsyncSequence, Sendable {
    /// A change of the order.
    public typealias Element = OrderEventBody
    /// Thrown if the order does not exist, or the server remains unreachable for longer than the configured time.
    public typealias Failure = StorefrontError

    let transport: Transport
    let path: String
    let token: String?
    let known: String?

    /// Starts an iteration with its own connection.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(stream: ResumingStream(transport: transport, path: path, token: token, lastID: known))
    }

    /// An iteration over the events of the order.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private static let finalStates: Set = ["delivered", "cancelled", "rejected"]
        var stream: ResumingStream
        var isAtEnd = false

        /// Waits for the next event; nil after a final state.
        public mutating func next() async throws(StorefrontError) -> OrderEventBody? {
            while !isAtEnd, let event = try await stream.next() {
                // A newer server may send events that this version does not know.
                guard event.name == "status" else { continue }
                let change = try IncomingResponse.decode(event.data, as: OrderEventBody.self)
                isAtEnd = Self.finalStates.contains(change.state)
                return change
            }
            return nil
        }
    }
}
