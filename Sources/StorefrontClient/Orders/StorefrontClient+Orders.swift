// Orders: read, cancelled, and followed. Read next: OrderEvents.swift.
import Wire

extension StorefrontClient {
    /// An order.
    /// - Parameter accessToken: The one of the checkout's answer. Without it the answer has no actions, and no text of
    ///   the guest or of staff.
    public func order(_ id: String, accessToken: String? = nil) async throws(StorefrontError) -> OrderBody {
        try await exchange.read("/v1/orders/\(id.percentEncoded)", token: accessToken)
    }

    /// What was paid, to whom, and the taxes in it.
    /// - Parameter accessToken: The one of the checkout's answer.
    public func receipt(_ id: String, accessToken: String) async throws(StorefrontError) -> ReceiptBody {
        try await exchange.read("/v1/orders/\(id.percentEncoded)/receipt", token: accessToken)
    }

    /// Gives up an order that nobody has accepted yet. Cancelled twice is cancelled once.
    public func cancelOrder(_ id: String, accessToken: String) async throws(StorefrontError) -> OrderBody {
        var outgoing = Outgoing(.POST, "/v1/orders/\(id.percentEncoded)/cancel", .always)
        outgoing.authorize(accessToken)
        return try await exchange.send(outgoing)
    }

    /// Follows an order: its states so far and as they come, until the last one.
    /// - Parameters:
    ///   - known: The state to go on after, by the count of those that were told.
    ///   - accessToken: The one of the checkout's answer. Without it the events have no reasons of staff.
    public func orderEvents(_ id: String, after known: Int? = nil, accessToken: String? = nil) -> OrderEvents {
        let path = "/v1/orders/\(id.percentEncoded)/events"
        return OrderEvents(exchange: exchange, path: path, token: accessToken, known: known.map(String.init))
    }
}
