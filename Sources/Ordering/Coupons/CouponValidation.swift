// Checks whether a coupon is valid for a basket at a given time. The conditions on the guest history are checked
// separately, after everything else.

extension Coupon {
    /// The discount on this basket now, or the first reason against it: validity period, condition, redemption limit,
    /// then the basket's content. An empty basket gets no coupon error, because it already has its own error.
    /// - Parameters:
    ///   - birthday: as entered at checkout.
    ///   - now: the clock reading of the request.
    ///   - today: the date of `now` in the shop's time zone.
    package func discount(on basket: PricedBasket, birthday: Birthday?, now: Instant, today: LocalDate) -> Result<
        Discount, FieldError
    > {
        if let rejection = rejection(birthday: birthday, now: now, today: today) { return .failure(rejection) }
        if basket.basket.isEmpty { return .success(Discount(amount: .zero, target: .everything)) }
        if let minimum = minimumSubtotal, basket.total < minimum {
            let missing = (minimum - basket.total).minorUnits
            return .failure(FieldError(.coupon, .couponMinimumNotReached, ["missingAmount": .integer(missing)]))
        }
        return benefit.discount(on: basket).map { .success($0) } ?? .failure(FieldError(.coupon, .couponNeedsItem))
    }

    private func rejection(birthday: Birthday?, now: Instant, today: LocalDate) -> FieldError? {
        if let startsAt, now < startsAt {
            return FieldError(.coupon, .couponNotStarted, ["startsAt": .text(startsAt.rfc3339)])
        }
        if let endsAt, now >= endsAt { return FieldError(.coupon, .couponExpired, ["endsAt": .text(endsAt.rfc3339)]) }
        switch condition {
        case .none, .firstOrder: break
        case .lastDayOfMonth: if !today.isLastDayOfMonth { return FieldError(.coupon, .couponNotToday) }
        case .birthday:
            guard let birthday else { return FieldError(.coupon, .couponNeedsBirthday) }
            if !birthday.falls(on: today) { return FieldError(.coupon, .couponNotToday) }
        }
        if let redemptionLimit, redemptionCount >= redemptionLimit {
            return FieldError(.coupon, .couponExhausted, ["limit": .integer(redemptionLimit)])
        }
        return nil
    }
}
