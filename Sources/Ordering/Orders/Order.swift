// The immutable result of a checkout. The database loads it, Web writes it out; only its state moves on.
// Next: OrderLine.swift for what was charged, OrderState.swift for where it can go.

/// Who gets the order, as validated and tidied at checkout.
package struct Customer: Sendable, Hashable {
    /// Tidied.
    package let name: String
    /// E.164.
    package let phone: String
    /// As typed, without the spaces around it.
    package let email: String
    /// Tidied.
    package let address: String
    /// For the kitchen or the courier.
    package let comment: String?

    /// The customer's details.
    package init(name: String, phone: String, email: String, address: String, comment: String?) {
        (self.name, self.phone, self.email) = (name, phone, email)
        (self.address, self.comment) = (address, comment)
    }
}

/// An order as it is stored.
package struct Order: Totalled, Sendable, Hashable {
    /// The id of the basket it was.
    package let id: OrderID
    /// 8 digits, to be said on the phone.
    package let number: String
    /// Where it is on its way.
    package let state: OrderState
    /// The single items, in the basket's order.
    package private(set) var lines: [OrderLine]
    /// The sets, in the basket's order.
    package private(set) var sets: [OrderSet]
    /// The coupon's key, if one was used.
    package let couponKey: String?
    /// What it came to.
    package let totals: Totals
    /// The shop's when it was placed.
    package let currency: Currency
    /// Minutes until delivery as promised at checkout, 15…60 in fives.
    package let etaMinutes: Int
    /// When it was placed.
    package let placedAt: Instant
    /// Who gets it.
    package let customer: Customer
    /// Why staff rejected it; nil unless they did.
    package let rejectionReason: String?
    /// How old whoever takes it has to be, for the courier to check; nil where anybody may.
    package let minimumAge: Int?

    /// An order as it is stored.
    package init(
        id: OrderID, number: String, state: OrderState, lines: [OrderLine], sets: [OrderSet], couponKey: String?, totals: Totals,
        currency: Currency, etaMinutes: Int, placedAt: Instant, customer: Customer, rejectionReason: String?, minimumAge: Int? = nil
    ) {
        (self.id, self.number, self.state) = (id, number, state)
        (self.lines, self.sets, self.couponKey) = (lines, sets, couponKey)
        (self.totals, self.currency) = (totals, currency)
        (self.etaMinutes, self.placedAt) = (etaMinutes, placedAt)
        (self.customer, self.rejectionReason, self.minimumAge) = (customer, rejectionReason, minimumAge)
    }

    /// The same in other words.
    func retitled(lines: [OrderLine], sets: [OrderSet]) -> Order {
        var order = self
        (order.lines, order.sets) = (lines, sets)
        return order
    }
}
