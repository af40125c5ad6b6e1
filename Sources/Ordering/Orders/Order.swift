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
    /// Tidied; nil where the guest comes for it.
    package let address: String?
    /// Tidied; nil where none was given.
    package let postcode: String?
    /// For the kitchen or the courier.
    package let comment: String?

    /// The customer's details.
    package init(name: String, phone: String, email: String, address: String?, postcode: String? = nil, comment: String?) {
        (self.name, self.phone, self.email) = (name, phone, email)
        (self.address, self.postcode, self.comment) = (address, postcode, comment)
    }

    /// Whoever the details are of.
    package init(_ details: CheckoutDetails) {
        self.init(
            name: details.name.text, phone: details.phone.e164, email: details.email.text, address: details.address?.text,
            postcode: details.postcode?.text, comment: details.comment?.text)
    }
}

/// The facts that an order gets after the checkout's decision: the time and the reason that staff give when they accept
/// or delay it, and its number of the day.
package struct StaffPromise: Sendable, Hashable {
    /// When it is ready; nil: as the checkout said.
    package let readyAt: Instant?
    /// Why that is later than it was, in their words; nil unless they delayed it.
    package let delayReason: String?
    /// The number of the day, counted from 1 on each business day, which never changes. The checkout draws it; nil
    /// while the server still has to give it: to a pre-order until it is due, to any order for up to two seconds.
    package let dayNumber: Int?
    /// Whether the server gave the number after the placement, so that the checkout's answer does not have it.
    package let isNumberedLater: Bool

    /// Nothing yet.
    package static let none = StaffPromise()

    /// What they have said.
    package init(
        readyAt: Instant? = nil, delayReason: String? = nil, dayNumber: Int? = nil, isNumberedLater: Bool = false
    ) {
        (self.readyAt, self.delayReason, self.dayNumber) = (readyAt, delayReason, dayNumber)
        self.isNumberedLater = isNumberedLater
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
    package private(set) var totals: Totals
    /// The shop's when it was placed.
    package let currency: Currency
    /// How the guest gets it.
    package let fulfilment: Fulfilment
    /// The start of the slot that it is for; nil: it was ordered for as soon as possible.
    package let wantedAt: Instant?
    /// Minutes as promised at checkout, 15…240 in fives; nil where it is wanted at a time.
    package let etaMinutes: Int?
    /// When it was placed.
    package let placedAt: Instant
    /// Who gets it.
    package let customer: Customer
    /// Why staff rejected it; nil unless they did.
    package let rejectionReason: String?
    /// Who rejected it; nil unless it is rejected.
    package let rejectedBy: RejectionSource?
    /// How old whoever takes it has to be, for the courier to check; nil where anybody may.
    package let minimumAge: Int?
    /// What it is read in: what the quote was in that it was placed by.
    package let language: LanguageTag
    /// What staff have said of it since it was placed.
    package let promise: StaffPromise

    /// An order as it is stored.
    package init(
        id: OrderID, number: String, state: OrderState, lines: [OrderLine], sets: [OrderSet], couponKey: String?, totals: Totals,
        currency: Currency, fulfilment: Fulfilment = .delivery, wantedAt: Instant? = nil, etaMinutes: Int?, placedAt: Instant,
        customer: Customer,
        rejectionReason: String?, rejectedBy: RejectionSource? = nil, minimumAge: Int? = nil,
        language: LanguageTag = .english, promise: StaffPromise = .none
    ) {
        (self.id, self.number, self.state) = (id, number, state)
        (self.lines, self.sets, self.couponKey) = (lines, sets, couponKey)
        (self.totals, self.currency) = (totals, currency)
        (self.fulfilment, self.wantedAt, self.etaMinutes, self.placedAt) = (fulfilment, wantedAt, etaMinutes, placedAt)
        (self.customer, self.rejectionReason, self.minimumAge, self.language) = (customer, rejectionReason, minimumAge, language)
        (self.promise, self.rejectedBy) = (promise, rejectedBy)
    }

    /// When it is promised for: as staff said last, or as the checkout did.
    package var readyAt: Instant { promise.readyAt ?? promisedAtCheckout }

    /// The number of the day as the checkout's answer said it.
    package var dayNumberAtCheckout: Int? { promise.isNumberedLater ? nil : promise.dayNumber }

    /// What the checkout's answer said.
    package var promisedAtCheckout: Instant { wantedAt ?? placedAt.advanced(by: .seconds(60 * Int64(etaMinutes ?? 0))) }

    /// The same in other words.
    func retitled(lines: [OrderLine], sets: [OrderSet], totals: Totals) -> Order {
        var order = self
        (order.lines, order.sets, order.totals) = (lines, sets, totals)
        return order
    }
}
