// What a guest's past has to do with a coupon. Judged by Checkout.decide only when all else is right, the expected total too, so
// that nobody can ask whether a stranger has ordered here. Database enters the use with the order.

/// What the database knows of the guest: every order that shares the phone or the email. Cancelled and rejected orders count for nothing.
package struct GuestPast: Hashable, Sendable {
    /// Whether there is a live order.
    package let hasOrdered: Bool
    /// How many live orders used this coupon in this period, whatever its limit was when they did.
    package let uses: Int
    /// The numbers of uses that are taken: by those of these orders that were placed while the coupon had this kind of limit.
    package let takenNumbers: [Int]

    package init(hasOrdered: Bool, uses: Int, takenNumbers: [Int]) {
        (self.hasOrdered, self.uses, self.takenNumbers) = (hasOrdered, uses, takenNumbers)
    }

    /// A guest who has never been here.
    package static let none = GuestPast(hasOrdered: false, uses: 0, takenNumbers: [])
}

/// One of a guest's uses of a coupon that is limited per guest. A row per guest key is unique in the database, which makes the
/// last use exact however many checkouts run at once.
///
/// Orders tell how often a guest has used a coupon; a use's number only keeps out those who want the same use at the same moment, and don't see each
/// other's order yet. It is at most the limit less the orders without one, so that no more get in than the limit lets, whatever it was before.
package struct CouponUse: Hashable, Sendable {
    /// What is used up.
    package enum Subject: Hashable, Sendable {
        /// One of the uses of a coupon.
        case coupon(CouponID)
        /// The guest's first order, which all coupons for first orders want together.
        case firstOrder
    }

    /// What is used up.
    package let subject: Subject
    /// 0 for ever, else the calendar year.
    package let period: Int
    /// The lowest free one of 1…guest limit.
    package let number: Int
    /// The guest's phone and email: "tel:+15550100199", "mailto:ann@example.com".
    package let guestKeys: [String]

    package init(subject: Subject, period: Int, number: Int, guestKeys: [String]) {
        (self.subject, self.period, self.number, self.guestKeys) = (subject, period, number, guestKeys)
    }
}

extension Coupon {
    /// The period that a use today counts in: 0 for ever, else the calendar year.
    package func period(on today: LocalDate) -> Int {
        switch guestPeriod {
        case .calendarYear where condition != .firstOrder: today.year
        case .ever, .calendarYear: 0
        }
    }

    /// The use to enter, nil for a coupon that any guest may use any number of times; or `coupon_first_order_only` or
    /// `coupon_already_used`.
    package func judgePast(_ past: GuestPast, guestKeys: [String], today: LocalDate) -> Result<CouponUse?, FieldError> {
        if condition == .firstOrder {
            guard !past.hasOrdered, past.takenNumbers.isEmpty else { return .failure(FieldError(.coupon, .couponFirstOrderOnly)) }
            return .success(CouponUse(subject: .firstOrder, period: period(on: today), number: 1, guestKeys: guestKeys))
        }
        guard let limit = guestLimit else { return .success(nil) }
        let taken = Set(past.takenNumbers)
        guard past.uses < limit, let number = (1...max(limit, 1)).first(where: { !taken.contains($0) }) else {
            return .failure(FieldError(.coupon, .couponAlreadyUsed, ["limit": .integer(Int64(limit))]))
        }
        return .success(CouponUse(subject: .coupon(id), period: period(on: today), number: number, guestKeys: guestKeys))
    }

    /// The conditions on the guest's past that a quote leaves unjudged, for the guest to know: `first_order`, `once_per_guest`,
    /// `once_per_guest_and_year`, `limited_per_guest`, `limited_per_guest_and_year`.
    package var conditionsOnPast: [String] {
        if condition == .firstOrder { return ["first_order"] }
        guard let limit = guestLimit else { return [] }
        return [(limit == 1 ? "once_per_guest" : "limited_per_guest") + (guestPeriod == .calendarYear ? "_and_year" : "")]
    }
}
