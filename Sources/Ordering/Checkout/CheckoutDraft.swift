// The input of a checkout decision: the draft from the request and the facts from the database.

/// A checkout request with the result of its validation, before any facts are read. A class, because it is passed
/// through the queue, the facts and the decision.
package final class CheckoutDraft: Sendable {
    /// The basket to order.
    package let basketID: BasketID
    /// The storefront's key for this attempt.
    package let key: CheckoutIdempotencyKey
    /// A digest of the raw fields: the same key with another digest is rejected.
    package let fingerprint: [UInt8]
    /// The raw fields.
    package let form: CheckoutForm
    /// The result of validating all fields.
    package let validation: Result<CheckoutDetails, FieldErrors>
    /// The number of open orders in the kitchen.
    package let openOrders: Int
    /// The language in which the guest reads the menu; nil: the shop's own.
    package let language: LanguageTag?

    /// A draft; `validation` must belong to `form`.
    package init(
        basketID: BasketID, key: CheckoutIdempotencyKey, fingerprint: [UInt8], form: CheckoutForm,
        validation: Result<CheckoutDetails, FieldErrors>, openOrders: Int, language: LanguageTag? = nil
    ) {
        (self.basketID, self.key, self.fingerprint) = (basketID, key, fingerprint)
        (self.form, self.validation, self.openOrders, self.language) = (form, validation, openOrders, language)
    }
}

/// The order that a basket has become.
package struct PlacedOrder: Sendable, Hashable {
    /// The key that placed the order.
    package let key: CheckoutIdempotencyKey
    /// The fingerprint of the fields with which the order was placed.
    package let fingerprint: [UInt8]

    /// The key and the fingerprint of an order.
    package init(key: CheckoutIdempotencyKey, fingerprint: [UInt8]) {
        (self.key, self.fingerprint) = (key, fingerprint)
    }
}

/// A reading of the database's clock, which all servers share.
package struct ClockReading: Sendable, Hashable {
    /// The time, with a resolution of a microsecond.
    package let now: Instant
    /// The date in the shop's time zone.
    package let today: LocalDate

    /// A clock reading.
    package init(now: Instant, today: LocalDate) {
        (self.now, self.today) = (now, today)
    }
}

/// The facts about a draft, from one snapshot of the database.
package struct CheckoutFacts: Sendable {
    /// The clock reading; nil if the cached basket sufficed and no coupon was requested. Only coupons need the
    /// database's clock.
    package let clockReading: ClockReading?
    /// The menu that prices the basket, at the time of the clock reading.
    package let menu: Menu
    /// Nil if the basket does not exist.
    package let basket: Basket?
    /// The order that the basket became.
    package let placedOrder: PlacedOrder?
    /// The coupon with the form's key; nil if it does not exist.
    package let coupon: Coupon?
    /// The guest's orders and redemptions that the coupon's conditions need.
    package let guestHistory: GuestHistory
    /// The stock on the day for which the order is wanted.
    package let stock: StockLevels
    /// The occupancy of the wanted slot, and perhaps of other slots; loaded if the draft wants a slot.
    package internal(set) var slotOccupancy: SlotOccupancy
    /// The stock of the basket's items on other days too; nil if no alternatives were queried.
    var dailyStock: DailyStock?

    /// The facts of one draft.
    package init(
        clockReading: ClockReading?, menu: Menu, basket: Basket?, placedOrder: PlacedOrder?, coupon: Coupon?,
        guestHistory: GuestHistory,
        stock: StockLevels = .untracked, slotOccupancy: SlotOccupancy = .none
    ) {
        (self.clockReading, self.menu, self.basket) = (
            clockReading, clockReading.map { menu.evaluated(at: $0.now) } ?? menu, basket
        )
        (self.placedOrder, self.coupon, self.guestHistory, self.stock, self.slotOccupancy) = (
            placedOrder, coupon, guestHistory, stock, slotOccupancy
        )
    }

    /// Facts from the server's cached copy of an open basket, for a draft without a coupon. The menu is evaluated at
    /// the time of the server's own clock.
    package init(cachedBasket basket: Basket, menu: Menu) {
        self.init(clockReading: nil, menu: menu, basket: basket, placedOrder: nil, coupon: nil, guestHistory: .none)
    }
}
