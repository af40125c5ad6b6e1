// Reading, cancelling and following orders.
import Wire

extension StorefrontClient {
    /// Returns an order.
    /// - Parameter accessToken: The token from the checkout's response. Without it, the order has no actions and no
    ///   texts of the guest or of staff.
    public func order(_ id: String, accessToken: String? = nil) async throws(StorefrontError) -> OrderBody {
        try await transport.read("/v1/orders/\(id.percentEncoded)", token: accessToken)
    }

    /// Returns the receipt: the order, the seller and the taxes.
    /// - Parameter accessToken: The token from the checkout's response.
    public func receipt(_ id: String, accessToken: String) async throws(StorefrontError) -> ReceiptBody {
        try await transport.read("/v1/orders/\(id.percentEncoded)/receipt", token: accessToken)
    }

    /// Cancels an order that is not accepted yet. A repetition has no further effect.
    public func cancelOrder(_ id: String, accessToken: String) async throws(StorefrontError) -> OrderBody {
        var outgoing = OutgoingRequest(.POST, "/v1/orders/\(id.percentEncoded)/cancel", .always)
        outgoing.authorise(accessToken)
        return try await transport.send(outgoing)
    }

    /// Follows an order: its past and its new events, until a final state.
    /// - Parameters:
    ///   - known: The number of events that are already known and are skipped.
    ///   - accessToken: The token from the checkout's response. Without it, the events have no reasons of staff.
    public func orderEvents(_ id: String, after known: Int? = nil, accessToken: String? = nil) -> OrderEventSequence {
        let path = "/v1/orders/\(id.percentEncoded)/events"
        return OrderEventSequence(transport: transport, path: path, token: accessToken, known: known.map(String.init))
    }
}
