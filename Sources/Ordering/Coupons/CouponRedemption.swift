// Coupon conditions that depend on the guest history. The checkout checks them last, so that a rejection does not
// reveal whether another person has ordered.

/// The orders that share the guest's phone number or email address. Cancelled and rejected orders do not count.
package struct GuestHistory: Hashable, Sendable {
    /// Whether the guest has an order that counts.
    package let hasOrdered: Bool
    /// The number of orders with this coupon in this period, including those placed while it had another limit.
    package let redemptionCount: Int
    /// The redemption numbers used by orders that were placed while the coupon had this kind of limit.
    package let usedNumbers: [Int]

    package init(hasOrdered: Bool, redemptionCount: Int, usedNumbers: [Int]) {
        (self.hasOrdered, self.redemptionCount, self.usedNumbers) = (hasOrdered, redemptionCount, usedNumbers)
    }

    /// The history of a new guest.
    package static let none = GuestHistory(hasOrdered: false, redemptionCount: 0, usedNumbers: [])
}

/// A redemption of a coupon with a limit per guest. The database stores one row for each guest key and rejects a
/// second row with the same number. Thus the limit holds for concurrent checkouts, which do not see each other.
package struct CouponRedemption: Hashable, Sendable {
    /// The limit that a redemption counts towards.
    package enum Subject: Hashable, Sendable {
        /// The limit per guest of one coupon.
        case coupon(CouponID)
        /// The guest's first order, shared by all coupons for first orders.
        case firstOrder
    }

    /// The limit that the redemption counts towards.
    package let subject: Subject
    /// 0 for unlimited time, otherwise the calendar year.
    package let period: Int
    /// The lowest unused number of 1…guest limit. Orders without a number count towards the limit too, so no change of
    /// the limit admits too many redemptions.
    package let number: Int
    /// The guest's phone number and email address: "tel:+15550100199", "mailto:ann@example.com".
    package let guestKeys: [String]

    package init(subject: Subject, period: Int, number: Int, guestKeys: [String]) {
        (self.subject, self.period, self.number, self.guestKeys) = (subject, period, number, guestKeys)
    }
}

extension Coupon {
    /// The period of a redemption today: 0 for unlimited time, otherwise the calendar year.
    package func period(on today: LocalDate) -> Int {
        switch guestPeriod {
        case .calendarYear where condition != .firstOrder: today.year
        case .ever, .calendarYear: 0
        }
    }

    /// The redemption to store, nil for a coupon without a limit per guest. Fails with `coupon_first_order_only` or
    /// `coupon_already_used`.
    package func redemption(after past: GuestHistory, guestKeys: [String], today: LocalDate) -> Result<
        CouponRedemption?, FieldError
    > {
        if condition == .firstOrder {
            guard !past.hasOrdered, past.usedNumbers.isEmpty else {
                return .failure(FieldError(.coupon, .couponFirstOrderOnly))
            }
            return .success(
                CouponRedemption(subject: .firstOrder, period: period(on: today), number: 1, guestKeys: guestKeys))
        }
        guard let limit = guestLimit else { return .success(nil) }
        let taken = Set(past.usedNumbers)
        guard past.redemptionCount < limit, let number = (1...max(limit, 1)).first(where: { !taken.contains($0) })
        else {
            return .failure(FieldError(.coupon, .couponAlreadyUsed, ["limit": .integer(Int64(limit))]))
        }
        return .success(
            CouponRedemption(subject: .coupon(id), period: period(on: today), number: number, guestKeys: guestKeys))
    }

    /// The conditions that a quote does not check, for display: `first_order`, `once_per_guest`,
    /// `once_per_guest_and_year`, `limited_per_guest`, `limited_per_guest_and_year`.
    package var guestHistoryConditions: [String] {
        if condition == .firstOrder { return ["first_order"] }
        guard let limit = guestLimit else { return [] }
        return [
            (limit == 1 ? "once_per_guest" : "limited_per_guest") + (guestPeriod == .calendarYear ? "_and_year" : "")
        ]
    }
}
