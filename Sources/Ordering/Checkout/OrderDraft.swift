// An accepted order that is not stored yet.

/// The coupon that an order redeems.
package struct RedeemedCoupon: Sendable, Hashable {
    /// The id that staff see.
    package let id: CouponID
    /// The coupon's key, stored with the order.
    package let key: CouponKey
    /// The version of the coupon that was judged.
    package let version: Int64
    /// The redemption to store; nil for a coupon without a limit per guest.
    package let redemption: CouponRedemption?

    /// A coupon to redeem.
    package init(id: CouponID, key: CouponKey, version: Int64, redemption: CouponRedemption?) {
        (self.id, self.key, self.version, self.redemption) = (id, key, version, redemption)
    }
}

/// An order without its number. A class, because it is passed from the decision to the batch that stores it.
package final class OrderDraft: HasTotals, Sendable {
    /// The basket's id, which becomes the order's.
    package let id: OrderID
    /// The version of the basket that was priced. Another stored version means that the facts are stale.
    package let basketVersion: Int64
    /// The idempotency key that is bound to the order.
    package let key: CheckoutIdempotencyKey
    /// The fingerprint of the raw fields.
    package let fingerprint: [UInt8]
    /// The validated details of the guest.
    package let details: CheckoutDetails
    /// Lines, sets and totals as charged.
    package let quote: Quote
    /// The redeemed coupon; nil if none was used.
    package let coupon: RedeemedCoupon?
    /// The clock reading of the facts; nil if the order is decided without one and gets the time of its insertion.
    package let placedAt: Instant?
    /// The interval in which the decision stays true; the order must be placed within it.
    package let validity: TimeRange
    /// The minimum age of the recipient, which the courier checks; nil if there is no restriction.
    package let minimumAge: Int?
    /// The units of counted items and options that the order takes.
    package let stock: StockDemand
    /// The number of dishes that count towards the slot; nil without a wanted time.
    package let slotItems: Int64?
    /// An order to place.
    package init(
        id: OrderID, basketVersion: Int64, key: CheckoutIdempotencyKey, fingerprint: [UInt8], details: CheckoutDetails,
        quote: Quote,
        coupon: RedeemedCoupon?, placedAt: Instant?, validity: TimeRange,
        minimumAge: Int? = nil, stock: StockDemand = .nothing, slotItems: Int64? = nil
    ) {
        (self.id, self.basketVersion, self.key, self.fingerprint) = (id, basketVersion, key, fingerprint)
        (self.details, self.quote, self.coupon) = (details, quote, coupon)
        (self.placedAt, self.validity, self.minimumAge) = (placedAt, validity, minimumAge)
        (self.stock, self.slotItems) = (stock, slotItems)
    }

    /// The order's slot and the capacity that it takes; nil if the order is wanted as soon as possible.
    package var slot: (key: SlotKey, use: SlotUse)? {
        guard let wantedAt, let slotItems else { return nil }
        return (SlotKey(fulfilment, wantedAt), SlotUse(orders: 1, items: slotItems))
    }

    /// The lines in the basket's order.
    package var lines: [OrderLine] { quote.lines }
    /// The sets in the basket's order.
    package var sets: [OrderSet] { quote.sets }
    /// How the guest gets the order.
    package var fulfilment: Fulfilment { quote.fulfilment }
    /// The start of the slot; nil: as soon as possible.
    package var wantedAt: Instant? { quote.wantedAt }
    /// The estimate in minutes, 15…240 in steps of 5; nil if there is a wanted time.
    package var etaMinutes: Int? { quote.etaMinutes }
    /// The language of the order's texts.
    package var language: LanguageTag { quote.language }
    /// The totals as charged.
    package var totals: Totals { quote.totals }
}
