// The validated checkout form.

/// The guest's details, validated and normalised.
package struct CheckoutDetails: Hashable, Sendable {
    /// Normalised.
    package let name: PersonName
    /// E.164.
    package let phone: PhoneNumber
    /// As the guest wrote it, and in lower case for comparison.
    package let email: EmailAddress
    /// Normalised; nil for pickup.
    package let address: DeliveryAddress?
    /// The guest's comment on the whole order.
    package let comment: OrderComment?
    /// In upper case.
    package let coupon: CouponKey?
    /// For the birthday coupon.
    package let birthday: Birthday?
    package let fulfilment: Fulfilment
    /// Nil: as soon as possible.
    package let wantedAt: Instant?
    /// Normalised; nil for pickup or if none was given.
    package let postcode: Postcode?
    /// The total that the guest was shown.
    package let expectedTotal: Money
    /// The currency of that total; nil for the currency that the basket recorded.
    package let currency: CurrencyCode?
    /// The list of totals that the guest was shown; nil if only their sum is compared.
    package let expectedTotals: [TotalKey: Int64]?

    /// The keys that identify a guest, as URIs of RFC 3966 and RFC 6068.
    /// Orders that share a key belong to the same guest.
    package var guestKeys: [String] { ["tel:" + phone.e164, "mailto:" + email.comparisonKey] }

    /// Whether both forms share a guest key.
    package func isSameGuest(as other: CheckoutDetails) -> Bool {
        phone.e164 == other.phone.e164 || email.comparisonKey == other.email.comparisonKey
    }
}
