// Validation and checkout. Both are idempotent, and the client retries them.
import Wire

extension StorefrontClient {
    /// Validates an incomplete form and returns its price. It changes nothing.
    public func validateCheckout(_ form: CheckoutBody) async throws(StorefrontError) -> ValidationBody {
        try await transport.send(OutgoingRequest(.POST, "/v1/checkout/validate", .always, body: form))
    }

    /// Orders a basket, exactly once even if the same attempt is sent several times.
    ///
    /// A `problem` that is not transient is final: nothing was ordered with this key. After any other error the order
    /// may have been placed. Send the same attempt again, at once or after a restart.
    public func checkout(_ attempt: CheckoutAttempt) async throws(StorefrontError) -> OrderBody {
        var outgoing = OutgoingRequest(.POST, "/v1/checkout", .always, body: attempt.form)
        outgoing.headers.append(("Idempotency-Key", attempt.key.rawValue))
        return try await transport.send(outgoing)
    }
}
