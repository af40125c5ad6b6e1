// A coupon as the storefront shows it: only those that staff list publicly. Coupons/ has what decides about one.

/// A coupon that staff list publicly.
package struct PublicCoupon: Sendable, Hashable {
    /// What the guest types, in upper case.
    package let key: String
    /// Plain text.
    package let title: String
    /// Plain text: what it gives, and to whom.
    package let description: String
    /// From when on it can be used; nil: already.
    package let startsAt: Instant?
    /// Until when, exclusive; nil: for good.
    package let endsAt: Instant?
    /// The lowest subtotal it can be used with.
    package let minimumSubtotal: Money?

    package init(key: String, title: String, description: String, startsAt: Instant?, endsAt: Instant?, minimumSubtotal: Money?) {
        (self.key, self.title, self.description) = (key, title, description)
        (self.startsAt, self.endsAt, self.minimumSubtotal) = (startsAt, endsAt, minimumSubtotal)
    }

    /// Whether it is shown: until it ends. One that begins later is shown with its beginning.
    func isListed(at now: Instant) -> Bool { endsAt.map { now < $0 } ?? true }
}
