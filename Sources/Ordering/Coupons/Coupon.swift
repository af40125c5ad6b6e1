// A coupon as staff entered it, with how often it was redeemed. Loaded by Database as a fact of a checkout.
// Read next: CouponJudgement.swift (is it valid now), CouponUse.swift (what the guest's past has to do with it).

/// What a coupon takes off.
package enum CouponBenefit: Hashable, Sendable {
    /// Off everything: total = subtotal × (100 − p) / 100, half up.
    case percent(Percent)
    /// A fixed amount, at most the subtotal.
    case amount(Money)
    /// One unit of the cheapest item of a category, by its current price without options, those in sets too.
    case freeItem(CategoryID)
}

/// When or for whom a coupon is.
package enum CouponCondition: String, Hashable, Sendable, CaseIterable {
    case none
    case firstOrder = "first_order"
    case lastDayOfMonth = "last_day_of_month"
    case birthday
}

/// The time over which a guest's uses are counted.
package enum CouponPeriod: String, Hashable, Sendable, CaseIterable {
    case ever
    /// Of the shop's time zone.
    case calendarYear = "calendar_year"
}

/// A coupon and its remaining redemptions, as one snapshot of the database saw them.
package struct Coupon: Hashable, Sendable {
    /// Staff's id.
    package let id: CouponID
    /// What the guest types.
    package let key: CouponKey
    /// Up to 100 characters without markup.
    package let title: String
    /// What it takes off.
    package let benefit: CouponBenefit
    /// When or for whom it is.
    package let condition: CouponCondition
    /// The first moment it is valid; nil: since ever.
    package let startsAt: Instant?
    /// The first moment it is no longer valid; nil: never.
    package let endsAt: Instant?
    /// What the basket must come to before the coupon.
    package let minimumSubtotal: Money?
    /// How many orders may use it in all; nil: any number.
    package let redemptionLimit: Int64?
    /// How many live orders use it.
    package let redeemed: Int64
    /// How many orders of one guest may use it per period; nil: any number.
    package let guestLimit: Int?
    /// Over which time `guestLimit` counts.
    package let guestPeriod: CouponPeriod
    /// Goes up with every change by staff: what is placed by another one was decided from stale facts.
    package let version: Int64

    package init(
        id: CouponID, key: CouponKey, title: String, benefit: CouponBenefit, condition: CouponCondition = .none, startsAt: Instant? = nil,
        endsAt: Instant? = nil, minimumSubtotal: Money? = nil, redemptionLimit: Int64? = nil, redeemed: Int64 = 0, guestLimit: Int? = nil,
        guestPeriod: CouponPeriod = .ever, version: Int64 = 1
    ) {
        (self.id, self.key, self.title, self.benefit, self.condition) = (id, key, title, benefit, condition)
        (self.startsAt, self.endsAt, self.minimumSubtotal) = (startsAt, endsAt, minimumSubtotal)
        (self.redemptionLimit, self.redeemed) = (redemptionLimit, redeemed)
        (self.guestLimit, self.guestPeriod, self.version) = (guestLimit, guestPeriod, version)
    }

    /// What it is called in the menu's language, listed or not.
    func title(in menu: Menu) -> String {
        guard menu.language != menu.languages.own else { return title }
        return menu.translations.text(of: .coupons, id.rawValue, in: menu.language).title ?? title
    }
}
