// A checkout on its way: what the guest sent, and what the database knows about it. Web makes the draft, Database the facts.
// Read next: Checkout.swift, which decides.

/// What the guest sent, already validated, before anything was read. A reference: it goes through the queue, the facts and the decision.
package final class CheckoutDraft: Sendable {
    /// Which basket is to be ordered.
    package let basketID: BasketID
    /// The storefront's key for this try.
    package let key: IdempotencyKey
    /// A digest of the fields as they came: the same key with another one is refused.
    package let fingerprint: [UInt8]
    /// The fields as they came.
    package let form: CheckoutForm
    /// The fields judged, all at once.
    package let validation: Result<CheckoutDetails, FieldErrors>
    /// What the kitchen has to do now.
    package let openOrders: Int
    /// What the guest reads the menu in; nil: the shop's own.
    package let language: LanguageTag?

    /// A draft; `validation` is the form's.
    package init(
        basketID: BasketID, key: IdempotencyKey, fingerprint: [UInt8], form: CheckoutForm,
        validation: Result<CheckoutDetails, FieldErrors>, openOrders: Int, language: LanguageTag? = nil
    ) {
        (self.basketID, self.key, self.fingerprint) = (basketID, key, fingerprint)
        (self.form, self.validation, self.openOrders, self.language) = (form, validation, openOrders, language)
    }
}

/// The order that a basket has become.
package struct PlacedOrder: Sendable, Hashable {
    /// The key that placed it.
    package let key: IdempotencyKey
    /// The fingerprint of the fields it was placed with.
    package let fingerprint: [UInt8]

    /// The order's key and fingerprint.
    package init(key: IdempotencyKey, fingerprint: [UInt8]) {
        (self.key, self.fingerprint) = (key, fingerprint)
    }
}

/// A reading of the database's clock, which is the same for all servers.
package struct Moment: Sendable, Hashable {
    /// To the microsecond.
    package let now: Instant
    /// Its date in the shop's time zone, daylight saving and all.
    package let today: LocalDate

    /// A reading.
    package init(now: Instant, today: LocalDate) {
        (self.now, self.today) = (now, today)
    }
}

/// What one snapshot of the database says about a draft.
package struct CheckoutFacts: Sendable {
    /// The one clock reading; nil where no coupon was asked for, which alone depends on it, and the basket needed not be read.
    package let moment: Moment?
    /// The menu the basket is priced with, at that moment.
    package let menu: Menu
    /// Nil if there is none.
    package let basket: Basket?
    /// The order this basket became.
    package let placed: PlacedOrder?
    /// The coupon of the form's key; nil if there is none.
    package let coupon: Coupon?
    /// The guest's past with regard to the coupon.
    package let past: GuestPast
    /// What is left of what staff count, on the day that the order is for.
    package let stock: StockLeft
    /// What is taken of the slots; read where the draft wants one.
    package let slots: SlotsTaken
    /// What is left on other days too of what its basket holds; nil where that was not asked for.
    var stockOfDays: StockOfDays?

    /// The facts of one draft.
    package init(
        moment: Moment?, menu: Menu, basket: Basket?, placed: PlacedOrder?, coupon: Coupon?, past: GuestPast,
        stock: StockLeft = .untracked, slots: SlotsTaken = .none
    ) {
        (self.moment, self.menu, self.basket) = (moment, moment.map { menu.at($0.now) } ?? menu, basket)
        (self.placed, self.coupon, self.past, self.stock, self.slots) = (placed, coupon, past, stock, slots)
    }

    /// What the server holds already of a basket that is open, for a draft without a coupon; the menu is looked at now, as far as the server knows.
    package init(held basket: Basket, menu: Menu) {
        self.init(moment: nil, menu: menu, basket: basket, placed: nil, coupon: nil, past: .none)
    }
}
