// A stored order, the immutable result of a checkout. Only its state and the updates by staff change.

/// The updates of an order after its checkout: estimate and reason of a delay by staff, and the day number.
package struct OrderUpdates: Sendable, Hashable {
    /// The estimate by staff; nil: the estimate of the checkout applies.
    package let readyAt: Instant?
    /// The reason for a delay in staff's words; nil if the order was not delayed.
    package let delayReason: String?
    /// The day number, counted from 1 on each business day; it never changes. Usually the checkout assigns it.
    /// Otherwise it is nil until the server assigns it: within two seconds, or when a pre-order becomes due.
    package let dayNumber: Int?
    /// Whether the server assigned the number after placement, so that the checkout's response does not contain it.
    package let isNumberAssignedLater: Bool

    /// No updates.
    package static let none = OrderUpdates()

    /// The updates of an order.
    package init(
        readyAt: Instant? = nil, delayReason: String? = nil, dayNumber: Int? = nil, isNumberAssignedLater: Bool = false
    ) {
        (self.readyAt, self.delayReason, self.dayNumber) = (readyAt, delayReason, dayNumber)
        self.isNumberAssignedLater = isNumberAssignedLater
    }
}

/// A stored order.
package struct Order: HasTotals, Sendable, Hashable {
    /// The id of the basket that became this order.
    package let id: OrderID
    /// 8 digits, short enough to say on the phone.
    package let number: String
    /// The current state.
    package let state: OrderState
    /// The lines in the basket's order.
    package private(set) var lines: [OrderLine]
    /// The sets in the basket's order.
    package private(set) var sets: [OrderSet]
    /// The coupon's key, if one was redeemed.
    package let couponKey: String?
    /// The totals as charged.
    package private(set) var totals: Totals
    /// The shop's currency when the order was placed.
    package let currency: Currency
    /// How the guest gets the order.
    package let fulfilment: Fulfilment
    /// The start of the wanted slot; nil: as soon as possible.
    package let wantedAt: Instant?
    /// The estimate at checkout in minutes, 15…240 in steps of 5; nil if there is a wanted time.
    package let etaMinutes: Int?
    /// When the order was placed.
    package let placedAt: Instant
    /// The recipient; nil if the shop has replaced the personal data of the order.
    package let customer: Customer?
    /// The postcode of the delivery, normalised; nil if none was entered, and for pickup. It stays when the personal
    /// data is replaced.
    package let postcode: String?
    /// The reason for the rejection that the guest reads, by staff or for a passed deadline; nil unless rejected.
    package let rejectionReason: String?
    /// The side that rejected the order; nil unless it is rejected.
    package let rejectedBy: RejectionSource?
    /// The minimum age of the recipient, which the courier checks; nil if there is no restriction.
    package let minimumAge: Int?
    /// The language of the order's texts: that of its quote.
    package let language: LanguageTag
    /// The updates after the checkout.
    package let updates: OrderUpdates

    /// A stored order.
    package init(
        id: OrderID, number: String, state: OrderState, lines: [OrderLine], sets: [OrderSet], couponKey: String?,
        totals: Totals,
        currency: Currency, fulfilment: Fulfilment = .delivery, wantedAt: Instant? = nil, etaMinutes: Int?,
        placedAt: Instant,
        customer: Customer?, postcode: String? = nil,
        rejectionReason: String?, rejectedBy: RejectionSource? = nil, minimumAge: Int? = nil,
        language: LanguageTag = .english, updates: OrderUpdates = .none
    ) {
        (self.id, self.number, self.state) = (id, number, state)
        (self.lines, self.sets, self.couponKey) = (lines, sets, couponKey)
        (self.totals, self.currency) = (totals, currency)
        (self.fulfilment, self.wantedAt, self.etaMinutes, self.placedAt) = (fulfilment, wantedAt, etaMinutes, placedAt)
        (self.customer, self.rejectionReason, self.minimumAge, self.language) = (
            customer, rejectionReason, minimumAge, language
        )
        (self.postcode, self.updates, self.rejectedBy) = (postcode, updates, rejectedBy)
    }

    /// The current estimate: the latest by staff, otherwise that of the checkout.
    package var readyAt: Instant { updates.readyAt ?? estimateAtCheckout }

    /// The day number in the checkout's response.
    package var dayNumberAtCheckout: Int? { updates.isNumberAssignedLater ? nil : updates.dayNumber }

    /// The estimate in the checkout's response.
    package var estimateAtCheckout: Instant { wantedAt ?? placedAt.advanced(by: .seconds(60 * Int64(etaMinutes ?? 0))) }

    /// A copy with other titles.
    func retitled(lines: [OrderLine], sets: [OrderSet], totals: Totals) -> Order {
        var order = self
        (order.lines, order.sets, order.totals) = (lines, sets, totals)
        return order
    }
}
