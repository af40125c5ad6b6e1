// One attempt to order. It is Codable: store it before you send it, until there is a response. After a crash, the same
// attempt returns the order that it may have placed, and never places a second one.
import Wire

/// A checkout form with its idempotency key.
public struct CheckoutAttempt: Hashable, Sendable, Codable {
    /// The key, the same each time this attempt is sent.
    public let key: IdempotencyKey
    /// The checkout form.
    public let form: CheckoutBody

    /// Creates an attempt, by default with a new key. A changed form needs a new attempt.
    public init(_ form: CheckoutBody, key: IdempotencyKey = IdempotencyKey()) { (self.key, self.form) = (key, form) }
}
