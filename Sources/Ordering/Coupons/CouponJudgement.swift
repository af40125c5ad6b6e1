// Whether a coupon is valid for a basket at a moment. Called by Checkout for the order and for the live form.
// Nothing here looks at the guest's past: CouponUse.swift does, and only when all else is right.

extension Coupon {
    /// What the coupon takes off this basket now, or the first reason against it: its window, its day, its redemptions, then
    /// what the basket holds. An empty basket gets no reason of its own, for it has been told that it is empty.
    /// - Parameters:
    ///   - birthday: as given at checkout.
    ///   - now: the one clock reading of the request.
    ///   - today: that moment's date in the shop's time zone.
    package func judge(_ basket: PricedBasket, birthday: Birthday?, now: Instant, today: LocalDate) -> Result<Discount, FieldError> {
        if let refusal = refusal(birthday: birthday, now: now, today: today) { return .failure(refusal) }
        if basket.basket.isEmpty { return .success(Discount(amount: .zero, target: .everything)) }
        if let minimum = minimumSubtotal, basket.total < minimum {
            let missing = (minimum - basket.total).minorUnits
            return .failure(FieldError(.coupon, .couponMinimumNotReached, ["missingAmount": .integer(missing)]))
        }
        return benefit.discount(on: basket).map { .success($0) } ?? .failure(FieldError(.coupon, .couponNeedsItem))
    }

    private func refusal(birthday: Birthday?, now: Instant, today: LocalDate) -> FieldError? {
        if let startsAt, now < startsAt { return FieldError(.coupon, .couponNotStarted, ["startsAt": .text(startsAt.rfc3339)]) }
        if let endsAt, now >= endsAt { return FieldError(.coupon, .couponExpired, ["endsAt": .text(endsAt.rfc3339)]) }
        switch condition {
        case .none, .firstOrder: break
        case .lastDayOfMonth: if !today.isLastDayOfMonth { return FieldError(.coupon, .couponNotToday) }
        case .birthday:
            guard let birthday else { return FieldError(.coupon, .couponNeedsBirthday) }
            if !birthday.falls(on: today) { return FieldError(.coupon, .couponNotToday) }
        }
        if let redemptionLimit, redeemed >= redemptionLimit {
            return FieldError(.coupon, .couponExhausted, ["limit": .integer(redemptionLimit)])
        }
        return nil
    }
}
