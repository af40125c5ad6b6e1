// The checkout: the live form, and the order. Both are safe to send again, and are. Read next: CheckoutAttempt.swift.
import Wire

extension StorefrontClient {
    /// Judges a form in the making, and says what it would cost. Changes nothing.
    public func validateCheckout(_ form: CheckoutBody) async throws(StorefrontError) -> ValidationBody {
        try await exchange.send(Outgoing(.POST, "/v1/checkout/validate", .always, body: form))
    }

    /// Orders a basket, exactly once however often this attempt is sent.
    ///
    /// A `problem` that is not passing settles it: nothing was ordered with this key. After any other error send the same attempt again,
    /// at once or after a restart: it may have been placed.
    public func checkout(_ attempt: CheckoutAttempt) async throws(StorefrontError) -> OrderBody {
        var outgoing = Outgoing(.POST, "/v1/checkout", .always, body: attempt.form)
        outgoing.headers.append(("Idempotency-Key", attempt.key.rawValue))
        return try await exchange.send(outgoing)
    }
}
