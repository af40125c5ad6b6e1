// One attempt to order. Keep it (it is Codable) before it is sent, until it is answered: a storefront that crashed in between sends the very
// same attempt again and gets the order it may have placed already, and never a second one. Read next: StorefrontClient+Checkout.swift.
import Wire

/// A filled-in form and its key.
public struct CheckoutAttempt: Hashable, Sendable, Codable {
    /// Made once; the same for every time this attempt is sent.
    public let key: IdempotencyKey
    /// What is ordered by whom, at which total.
    public let form: CheckoutBody

    /// An attempt with a new key. A refused form that was changed is a new attempt.
    public init(_ form: CheckoutBody, key: IdempotencyKey = IdempotencyKey()) { (self.key, self.form) = (key, form) }
}
