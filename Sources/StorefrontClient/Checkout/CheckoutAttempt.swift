// One attempt to order. It is Codable: store it before you send it, and keep it until there is a response. After a
// crash, send it again: if it has placed an order, it returns that order and places no second one.
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
