// A coupon as the storefront shows it.

/// A coupon that staff list publicly.
package struct PublicCoupon: Sendable, Hashable {
    /// The number that staff assigned, by which it is translated; nil if it is unknown.
    package let id: CouponID?
    /// The code that the guest types, in upper case.
    package let key: String
    /// Up to 100 characters without markup.
    package let title: String
    /// Plain text: the benefit and its conditions.
    package let description: String
    /// The start of its validity; nil: already valid.
    package let startsAt: Instant?
    /// The end of its validity, exclusive; nil: unlimited.
    package let endsAt: Instant?
    /// The lowest subtotal that the coupon requires.
    package let minimumSubtotal: Money?

    package init(
        id: CouponID? = nil, key: String, title: String, description: String, startsAt: Instant?, endsAt: Instant?,
        minimumSubtotal: Money?
    ) {
        self.id = id
        (self.key, self.title, self.description) = (key, title, description)
        (self.startsAt, self.endsAt, self.minimumSubtotal) = (startsAt, endsAt, minimumSubtotal)
    }

    func translated(_ text: TranslatedText) -> PublicCoupon {
        PublicCoupon(
            id: id, key: key, title: text.title ?? title, description: text.description ?? description,
            startsAt: startsAt, endsAt: endsAt,
            minimumSubtotal: minimumSubtotal)
    }

    /// Whether the coupon is shown: until it expires. A coupon that is not valid yet is shown with its start.
    func isListed(at now: Instant) -> Bool { endsAt.map { now < $0 } ?? true }
}
