// What a guest's past has to do with a coupon. Judged by Checkout.place only when all else is right, the expected total too, so
// that nobody can ask whether a stranger has ordered here. Database enters the use with the order.

/// What the database knows of the guest: every order that shares the phone or the email. Cancelled and rejected orders count for nothing.
public struct GuestPast: Hashable, Sendable {
    /// Whether there is a live order.
    public let hasOrdered: Bool
    /// How many live orders used this coupon in this period.
    public let uses: Int
    /// The slots these hold.
    public let takenSlots: [Int]

    /// A guest's past with regard to one coupon.
    public init(hasOrdered: Bool, uses: Int, takenSlots: [Int]) {
        (self.hasOrdered, self.uses, self.takenSlots) = (hasOrdered, uses, takenSlots)
    }

    /// A guest who has never been here.
    public static let none = GuestPast(hasOrdered: false, uses: 0, takenSlots: [])
}

/// One of a guest's uses of a coupon that is limited per guest. A row per guest key is unique in the database, which makes the
/// last use exact however many checkouts run at once.
public struct CouponUse: Hashable, Sendable {
    /// The coupon.
    public let couponID: CouponID
    /// 0 for ever, else the calendar year.
    public let period: Int
    /// The lowest free one of 1…guest limit.
    public let slot: Int
    /// The guest's phone and email: "tel:+15550100199", "mailto:ann@example.com".
    public let guestKeys: [String]

    /// A use.
    public init(couponID: CouponID, period: Int, slot: Int, guestKeys: [String]) {
        (self.couponID, self.period, self.slot, self.guestKeys) = (couponID, period, slot, guestKeys)
    }
}

extension Coupon {
    /// How many orders of one guest may use it per period. A first order happens once.
    public var usesPerGuest: Int? { condition == .firstOrder ? 1 : guestLimit }

    /// The period that a use today counts in: 0 for ever, else the calendar year.
    public func period(on today: LocalDate) -> Int {
        switch guestPeriod {
        case .calendarYear where condition != .firstOrder: today.year
        case .ever, .calendarYear: 0
        }
    }

    /// The use to enter, nil for a coupon that any guest may use any number of times; or `coupon_first_order_only` or
    /// `coupon_already_used`.
    public func judgePast(_ past: GuestPast, guestKeys: [String], today: LocalDate) -> Result<CouponUse?, FieldError> {
        if condition == .firstOrder, past.hasOrdered { return .failure(FieldError(.coupon, .couponFirstOrderOnly)) }
        guard let limit = usesPerGuest else { return .success(nil) }
        let taken = Set(past.takenSlots)
        guard past.uses < limit, let slot = (1...max(limit, 1)).first(where: { !taken.contains($0) }) else {
            return .failure(FieldError(.coupon, .couponAlreadyUsed, ["limit": .integer(Int64(limit))]))
        }
        return .success(CouponUse(couponID: id, period: period(on: today), slot: slot, guestKeys: guestKeys))
    }

    /// The conditions on the guest's past that a quote leaves unjudged, for the guest to know: `first_order`, `once_per_guest`,
    /// `once_per_guest_and_year`, `limited_per_guest`, `limited_per_guest_and_year`.
    public var conditionsOnPast: [String] {
        if condition == .firstOrder { return ["first_order"] }
        guard let limit = guestLimit else { return [] }
        return [(limit == 1 ? "once_per_guest" : "limited_per_guest") + (guestPeriod == .calendarYear ? "_and_year" : "")]
    }
}
