// The validated checkout form, and the recipient that an order keeps of it.

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

/// The recipient, as validated and normalised at checkout.
package struct Customer: Sendable, Hashable {
    /// Normalised.
    package let name: String
    /// E.164.
    package let phone: String
    /// As entered, trimmed.
    package let email: String
    /// Normalised; nil for pickup.
    package let address: String?
    /// A comment for the kitchen or the courier.
    package let comment: String?

    /// A customer.
    package init(name: String, phone: String, email: String, address: String?, comment: String?) {
        (self.name, self.phone, self.email) = (name, phone, email)
        (self.address, self.comment) = (address, comment)
    }

    /// The customer of a checkout.
    package init(_ details: CheckoutDetails) {
        self.init(
            name: details.name.text, phone: details.phone.e164, email: details.email.text,
            address: details.address?.text, comment: details.comment?.text)
    }
}
