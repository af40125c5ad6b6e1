// A checkout on its way: what the guest sent, and what the database knows about it. Web makes the draft, Database the facts.
// Read next: Checkout.swift, which decides.

/// What the guest sent, already validated, before anything was read.
public struct CheckoutDraft: Sendable, Hashable {
    /// Which basket is to be ordered.
    public let basketID: BasketID
    /// The storefront's key for this try.
    public let key: IdempotencyKey
    /// A digest of the fields as they came: the same key with another one is refused.
    public let fingerprint: [UInt8]
    /// The fields as they came.
    public let form: CheckoutForm
    /// The fields judged, all at once.
    public let validation: Result<CheckoutDetails, FieldErrors>
    /// What the kitchen promises now, 15…60 in fives.
    public let etaMinutes: Int

    /// A draft; `validation` is the form's.
    public init(
        basketID: BasketID, key: IdempotencyKey, fingerprint: [UInt8], form: CheckoutForm,
        validation: Result<CheckoutDetails, FieldErrors>, etaMinutes: Int
    ) {
        (self.basketID, self.key, self.fingerprint) = (basketID, key, fingerprint)
        (self.form, self.validation, self.etaMinutes) = (form, validation, etaMinutes)
    }
}

/// The order that a basket has become.
public struct PlacedOrder: Sendable, Hashable {
    /// The key that placed it.
    public let key: IdempotencyKey
    /// The fingerprint of the fields it was placed with.
    public let fingerprint: [UInt8]

    /// The order's key and fingerprint.
    public init(key: IdempotencyKey, fingerprint: [UInt8]) {
        (self.key, self.fingerprint) = (key, fingerprint)
    }
}

/// A reading of the database's clock, which is the same for all servers.
public struct Moment: Sendable, Hashable {
    /// To the microsecond.
    public let now: Instant
    /// Its date in the shop's time zone, daylight saving and all.
    public let today: LocalDate

    /// A reading.
    public init(now: Instant, today: LocalDate) {
        (self.now, self.today) = (now, today)
    }
}

/// What one snapshot of the database says about a draft.
public struct CheckoutFacts: Sendable {
    /// The one clock reading; nil where no coupon was asked for, which alone depends on it, and the basket needed not be read.
    public let moment: Moment?
    /// The menu the basket is priced with.
    public let menu: Menu
    /// Nil if there is none.
    public let basket: Basket?
    /// The order this basket became.
    public let placed: PlacedOrder?
    /// The coupon of the form's key; nil if there is none.
    public let coupon: Coupon?
    /// The guest's past with regard to the coupon.
    public let past: GuestPast

    /// The facts of one draft.
    public init(moment: Moment?, menu: Menu, basket: Basket?, placed: PlacedOrder?, coupon: Coupon?, past: GuestPast) {
        (self.moment, self.menu, self.basket) = (moment, menu, basket)
        (self.placed, self.coupon, self.past) = (placed, coupon, past)
    }

    /// What the server holds already of a basket that is open, for a draft without a coupon.
    public init(held basket: Basket, menu: Menu) {
        self.init(moment: nil, menu: menu, basket: basket, placed: nil, coupon: nil, past: .none)
    }
}
