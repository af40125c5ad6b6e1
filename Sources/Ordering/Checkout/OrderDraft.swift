// An order that is decided and not yet stored. Made by Checkout.decide, written by Database in one call.

/// The coupon an order is placed with.
package struct RedeemedCoupon: Sendable, Hashable {
    /// Staff's id.
    package let id: CouponID
    /// As kept on the order.
    package let key: CouponKey
    /// The coupon's version that was judged.
    package let version: Int64
    /// The guest's use to enter; nil for a coupon without a limit per guest.
    package let use: CouponUse?

    /// A coupon that is to be redeemed.
    package init(id: CouponID, key: CouponKey, version: Int64, use: CouponUse?) {
        (self.id, self.key, self.version, self.use) = (id, key, version, use)
    }
}

/// Everything an order is, but for its number. A reference: it goes from the decision through what may keep it waiting to its row.
package final class OrderDraft: Totalled, Sendable {
    /// The basket's id, which becomes the order's.
    package let id: OrderID
    /// The basket's version that was priced: another one means that the facts are stale.
    package let basketVersion: Int64
    /// The key that the order binds.
    package let key: IdempotencyKey
    /// Of the fields as they came.
    package let fingerprint: [UInt8]
    /// Of the guest.
    package let details: CheckoutDetails
    /// Lines, sets and totals as charged.
    package let quote: Quote
    /// If one was used.
    package let coupon: RedeemedCoupon?
    /// The facts' clock reading; nil if it is placed without one, at the moment of the placing.
    package let placedAt: Instant?
    /// When it has to be placed: at another moment it would be decided otherwise.
    package let holds: TimeSpan
    /// How old whoever takes it has to be, for the courier to check; nil where anybody may.
    package let minimumAge: Int?
    /// What it takes of what is counted.
    package let stock: StockDemand
    /// How many dishes it takes of its slot; nil where it wants none.
    package let slotItems: Int64?
    /// An order to be placed.
    package init(
        id: OrderID, basketVersion: Int64, key: IdempotencyKey, fingerprint: [UInt8], details: CheckoutDetails, quote: Quote,
        coupon: RedeemedCoupon?, placedAt: Instant?, holds: TimeSpan,
        minimumAge: Int? = nil, stock: StockDemand = .nothing, slotItems: Int64? = nil
    ) {
        (self.id, self.basketVersion, self.key, self.fingerprint) = (id, basketVersion, key, fingerprint)
        (self.details, self.quote, self.coupon) = (details, quote, coupon)
        (self.placedAt, self.holds, self.minimumAge) = (placedAt, holds, minimumAge)
        (self.stock, self.slotItems) = (stock, slotItems)
    }

    /// The slot that it takes a place in, and how much of it; nil where it is wanted as soon as possible.
    package var slot: (key: SlotKey, use: SlotUse)? {
        guard let wantedAt, let slotItems else { return nil }
        return (SlotKey(fulfilment, wantedAt), SlotUse(orders: 1, items: slotItems))
    }

    /// The single items, in the basket's order.
    package var lines: [OrderLine] { quote.lines }
    /// The sets, in the basket's order.
    package var sets: [OrderSet] { quote.sets }
    /// How the guest gets it.
    package var fulfilment: Fulfilment { quote.fulfilment }
    /// The start of its slot; nil: as soon as possible.
    package var wantedAt: Instant? { quote.wantedAt }
    /// Minutes, 15…240 in fives; nil where it is wanted at a time.
    package var etaMinutes: Int? { quote.etaMinutes }
    /// What it is read in from now on.
    package var language: LanguageTag { quote.language }
    /// What it comes to.
    package var totals: Totals { quote.totals }
}
