// An order that is decided and not yet stored. Made by Checkout.place, written by Database in one call.

/// The coupon an order is placed with.
public struct RedeemedCoupon: Sendable, Hashable {
    /// Staff's id.
    public let id: CouponID
    /// As kept on the order.
    public let key: CouponKey
    /// The coupon's version that was judged.
    public let version: Int64
    /// The guest's use to enter; nil for a coupon without a limit per guest.
    public let use: CouponUse?

    /// A coupon that is to be redeemed.
    public init(id: CouponID, key: CouponKey, version: Int64, use: CouponUse?) {
        (self.id, self.key, self.version, self.use) = (id, key, version, use)
    }
}

/// Everything an order is, but for its number.
public struct OrderDraft: Sendable, Hashable {
    /// The basket's id, which becomes the order's.
    public let id: OrderID
    /// The basket's version that was priced: another one means that the facts are stale.
    public let basketVersion: Int64
    /// The key that the order binds.
    public let key: IdempotencyKey
    /// Of the fields as they came.
    public let fingerprint: [UInt8]
    /// Of the guest.
    public let details: CheckoutDetails
    /// Lines, sets and totals as charged.
    public let quote: Quote
    /// If one was used.
    public let coupon: RedeemedCoupon?
    /// 15…60 in fives.
    public let etaMinutes: Int
    /// The facts' clock reading; nil if it is placed without one, at the moment of the placing.
    public let placedAt: Instant?

    /// An order to be placed.
    public init(
        id: OrderID, basketVersion: Int64, key: IdempotencyKey, fingerprint: [UInt8], details: CheckoutDetails, quote: Quote,
        coupon: RedeemedCoupon?, etaMinutes: Int, placedAt: Instant?
    ) {
        (self.id, self.basketVersion, self.key, self.fingerprint) = (id, basketVersion, key, fingerprint)
        (self.details, self.quote, self.coupon) = (details, quote, coupon)
        (self.etaMinutes, self.placedAt) = (etaMinutes, placedAt)
    }

    /// The single items, in the basket's order.
    public var lines: [OrderLine] { quote.lines }
    /// The sets, in the basket's order.
    public var sets: [OrderSet] { quote.sets }
    /// Before the coupon.
    public var subtotal: Money { quote.subtotal }
    /// What the coupon takes off.
    public var discount: Money { quote.discount }
    /// What the guest pays.
    public var total: Money { quote.total }
}
