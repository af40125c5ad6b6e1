// The immutable result of a checkout. The database loads it, Web writes it out; only its state moves on.
// Next: OrderLine.swift for what was charged, OrderState.swift for where it can go.

/// Who gets the order, as validated and tidied at checkout.
public struct Customer: Sendable, Hashable {
    /// Tidied.
    public let name: String
    /// E.164.
    public let phone: String
    /// As typed, without the spaces around it.
    public let email: String
    /// Tidied.
    public let address: String
    /// For the kitchen or the courier.
    public let comment: String?

    /// The customer's details.
    public init(name: String, phone: String, email: String, address: String, comment: String?) {
        (self.name, self.phone, self.email) = (name, phone, email)
        (self.address, self.comment) = (address, comment)
    }
}

/// An order as it is stored.
public struct Order: Sendable, Hashable {
    /// The id of the basket it was.
    public let id: OrderID
    /// 8 digits, to be said on the phone.
    public let number: String
    /// Where it is on its way.
    public let state: OrderState
    /// The single items, in the basket's order.
    public let lines: [OrderLine]
    /// The sets, in the basket's order.
    public let sets: [OrderSet]
    /// The coupon's key, if one was used.
    public let couponKey: String?
    /// All lines and sets before the coupon.
    public let subtotal: Money
    /// What the coupon took off.
    public let discount: Money
    /// What the guest pays: subtotal − discount.
    public let total: Money
    /// The shop's when it was placed.
    public let currency: Currency
    /// Minutes until delivery as promised at checkout, 15…60 in fives.
    public let etaMinutes: Int
    /// When it was placed.
    public let placedAt: Instant
    /// Who gets it.
    public let customer: Customer
    /// Why staff rejected it; nil unless they did.
    public let rejectionReason: String?

    /// An order as it is stored.
    public init(
        id: OrderID, number: String, state: OrderState, lines: [OrderLine], sets: [OrderSet], couponKey: String?, subtotal: Money,
        discount: Money, total: Money, currency: Currency, etaMinutes: Int, placedAt: Instant, customer: Customer, rejectionReason: String?
    ) {
        (self.id, self.number, self.state) = (id, number, state)
        (self.lines, self.sets, self.couponKey) = (lines, sets, couponKey)
        (self.subtotal, self.discount, self.total, self.currency) = (subtotal, discount, total, currency)
        (self.etaMinutes, self.placedAt) = (etaMinutes, placedAt)
        (self.customer, self.rejectionReason) = (customer, rejectionReason)
    }
}
