// A coupon as the storefront shows it: only those that staff list publicly. Coupons/ has what decides about one.

/// A coupon that staff list publicly.
package struct PublicCoupon: Sendable, Hashable {
    /// Staff's number, by which it is translated; nil where it is not known.
    package let id: CouponID?
    /// What the guest types, in upper case.
    package let key: String
    /// Up to 100 characters without markup.
    package let title: String
    /// Plain text: what it gives, and to whom.
    package let description: String
    /// From when on it can be used; nil: already.
    package let startsAt: Instant?
    /// Until when, exclusive; nil: for good.
    package let endsAt: Instant?
    /// The lowest subtotal it can be used with.
    package let minimumSubtotal: Money?

    package init(
        id: CouponID? = nil, key: String, title: String, description: String, startsAt: Instant?, endsAt: Instant?, minimumSubtotal: Money?
    ) {
        self.id = id
        (self.key, self.title, self.description) = (key, title, description)
        (self.startsAt, self.endsAt, self.minimumSubtotal) = (startsAt, endsAt, minimumSubtotal)
    }

    func translated(_ text: TranslatedText) -> PublicCoupon {
        PublicCoupon(
            id: id, key: key, title: text.title ?? title, description: text.description ?? description, startsAt: startsAt, endsAt: endsAt,
            minimumSubtotal: minimumSubtotal)
    }

    /// Whether it is shown: until it ends. One that begins later is shown with its beginning.
    func isListed(at now: Instant) -> Bool { endsAt.map { now < $0 } ?? true }
}
