// A coupon as staff entered it, with its number of redemptions.

/// The reduction that a coupon grants.
package enum CouponBenefit: Hashable, Sendable {
    /// A percentage of the subtotal: total = subtotal × (100 − p) / 100, half up.
    case percent(Percent)
    /// A fixed amount, at most the subtotal.
    case amount(Money)
    /// One unit of the cheapest item of a category, including items of sets. Compares and reduces current prices
    /// without options.
    case freeItem(CategoryID)
}

/// When, or for which guests, a coupon is valid.
package enum CouponCondition: String, Hashable, Sendable, CaseIterable {
    case none
    case firstOrder = "first_order"
    case lastDayOfMonth = "last_day_of_month"
    case birthday
}

/// The period in which a guest's redemptions are counted.
package enum CouponPeriod: String, Hashable, Sendable, CaseIterable {
    case ever
    /// The calendar year in the shop's time zone.
    case calendarYear = "calendar_year"
}

/// A coupon and its redemptions, from one snapshot of the database.
package struct Coupon: Hashable, Sendable {
    /// The id that staff see.
    package let id: CouponID
    /// The code that guests enter.
    package let key: CouponKey
    /// Up to 100 characters without markup.
    package let title: String
    /// The reduction that the coupon grants.
    package let benefit: CouponBenefit
    /// When, or for which guests, the coupon is valid.
    package let condition: CouponCondition
    /// The first instant at which the coupon is valid; nil: no start.
    package let startsAt: Instant?
    /// The first instant at which the coupon is no longer valid; nil: no end.
    package let endsAt: Instant?
    /// The minimum subtotal of the basket, before the coupon.
    package let minimumSubtotal: Money?
    /// The maximum number of orders in total; nil: unlimited.
    package let redemptionLimit: Int64?
    /// The number of orders with this coupon that are neither cancelled nor rejected.
    package let redemptionCount: Int64
    /// The maximum number of orders per guest and period; nil: unlimited.
    package let guestLimit: Int?
    /// The period in which `guestLimit` applies.
    package let guestPeriod: CouponPeriod
    /// Incremented by every change by staff. An order that was decided with another version has stale facts.
    package let version: Int64

    package init(
        id: CouponID, key: CouponKey, title: String, benefit: CouponBenefit, condition: CouponCondition = .none,
        startsAt: Instant? = nil,
        endsAt: Instant? = nil, minimumSubtotal: Money? = nil, redemptionLimit: Int64? = nil,
        redemptionCount: Int64 = 0, guestLimit: Int? = nil,
        guestPeriod: CouponPeriod = .ever, version: Int64 = 1
    ) {
        (self.id, self.key, self.title, self.benefit, self.condition) = (id, key, title, benefit, condition)
        (self.startsAt, self.endsAt, self.minimumSubtotal) = (startsAt, endsAt, minimumSubtotal)
        (self.redemptionLimit, self.redemptionCount) = (redemptionLimit, redemptionCount)
        (self.guestLimit, self.guestPeriod, self.version) = (guestLimit, guestPeriod, version)
    }

    /// The title in the menu's language, even if the menu does not list the coupon.
    func title(in menu: Menu) -> String {
        guard menu.language != menu.languages.own else { return title }
        return menu.translations.text(of: .coupons, id.rawValue, in: menu.language).title ?? title
    }
}
