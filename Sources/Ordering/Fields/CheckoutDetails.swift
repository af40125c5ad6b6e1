// The checkout form once every field is right. Made by CheckoutForm.validated; an order is placed with it.
// Read next: Checkout/CheckoutDraft.swift.

/// Who orders, where to, and for how much: valid and tidied.
package struct CheckoutDetails: Hashable, Sendable {
    /// Tidied.
    package let name: PersonName
    /// E.164.
    package let phone: PhoneNumber
    /// As written, and in lower case for comparing.
    package let email: EmailAddress
    /// Tidied; nil for pickup.
    package let address: DeliveryAddress?
    /// What the guest wrote to the whole order; nil: nothing.
    package let comment: OrderComment?
    /// In upper case.
    package let coupon: CouponKey?
    /// For the birthday coupon.
    package let birthday: Birthday?
    /// How the guest gets it.
    package let fulfilment: Fulfilment
    /// Nil: as soon as possible.
    package let wantedAt: Instant?
    /// Tidied; nil where none was given, and for pickup.
    package let postcode: Postcode?
    /// The total the guest was shown.
    package let expectedTotal: Money
    /// What it was shown in; nil for the currency that the basket recorded.
    package let currency: CurrencyCode?
    /// The list of totals that the guest was shown; nil where only their sum is compared.
    package let expectedTotals: [TotalKey: Int64]?

    /// What tells guests apart, as the URIs of RFC 3966 and RFC 6068: two orders that share one of them are the same guest's.
    package var guestKeys: [String] { ["tel:" + phone.e164, "mailto:" + email.comparable] }

    /// Whether these are the same guest's: one of the keys is shared.
    package func isSameGuest(as other: CheckoutDetails) -> Bool {
        phone.e164 == other.phone.e164 || email.comparable == other.email.comparable
    }
}
