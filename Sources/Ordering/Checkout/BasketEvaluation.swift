// Evaluates a basket with the facts: availability, coupon, delivery area, wanted time, tip and totals. Does not use
// the guest history.

/// The evaluation of a basket for a checkout.
struct BasketEvaluation {
    let priced: PricedBasket
    /// The requested coupon, if it is valid now.
    let coupon: Coupon?
    /// Errors of the basket, coupon, wanted time, delivery area and tip, in no particular order.
    let errors: [FieldError]
    /// Required fields that are still missing.
    let missingFields: [FieldError]
    let quote: Quote
    /// The minimum age of the recipient; nil if there is no restriction.
    let minimumAge: Int?
    /// The units of counted items and options that the order takes.
    let stock: StockDemand
    /// The interval in which the evaluation stays true.
    let validity: TimeRange

    init(_ basket: Basket, _ form: CheckoutForm, _ facts: CheckoutFacts, openOrders: Int) {
        let (fulfilment, wanted, terms) = (form.chosenFulfilment, form.parsedWantedTime, facts.menu.terms)
        // Availability is judged at the wanted time.
        let availability = BasketAvailability(basket, wanted.map(facts.menu.evaluated) ?? facts.menu, facts.stock)
        let priced = availability.priced
        var errors = (priced.isOrderable ? [] : BasketEvaluation.dishErrors(priced)) + availability.shortages
        stock =
            availability.countedDishes.isEmpty
            ? .nothing : StockDemand(availability.countedDishes).counted(in: facts.stock)
        if basket.isEmpty { errors.append(FieldError(.basket, .basketEmpty)) }
        var coupon: Coupon?
        var discount: Discount?
        switch BasketEvaluation.validCoupon(priced, form, facts) {
        case .success((let valid, let amount))?: (coupon, discount) = (valid, amount)
        case .failure(let error)?: errors.append(error)
        case nil: break
        }

        var area: DeliveryArea?
        var missing: [FieldError] = []
        var validity = TimeRange.always
        if terms[fulfilment].isOffered {
            if terms.needsPostcode(fulfilment) {
                area = terms.area(fulfilment, form.parsedPostcode)
                errors += BasketEvaluation.areaErrors(area, priced, form)
                if area == nil, form.postcode.isBlank { missing.append(FieldError(.postcode, .postcodeRequired)) }
            }
            if form.wantedAt == nil || wanted != nil {
                let time = WantedTimeEvaluation(
                    wanted, fulfilment, area: area, basket, facts.menu, occupancy: facts.slotOccupancy,
                    stock: facts.dailyStock ?? DailyStock(facts.stock))
                if let error = time.error { errors.append(error) }
                validity = time.validity
            }
        } else {
            errors.append(FieldError(.fulfilment, .fulfilmentNotOffered))
        }
        // A pre-order depends on availability at its wanted time, not on when it is placed.
        self.validity = wanted == nil ? validity.intersection(availability.validity) : validity

        let reduction = coupon.flatMap { coupon in
            discount.map {
                Bill.AppliedCoupon(code: coupon.key.text, title: coupon.title(in: facts.menu), discount: $0)
            }
        }
        let bill = Bill(
            priced, terms, fulfilment, area: area, coupon: reduction, tip: form.tip, titles: facts.menu.totalTitles)
        if bill.isTipRejected { errors.append(.tipOutOfRange(maximum: bill.highestTip)) }
        minimumAge = priced.minimumAge
        if let minimumAge, form.ageConfirmed != true {
            errors.append(FieldError(.ageConfirmed, .ageConfirmationRequired, ["age": .integer(Int64(minimumAge))]))
        }
        (self.priced, self.coupon, self.errors, self.missingFields) = (priced, coupon, errors, missing)
        quote = Quote(
            priced, bill, conditions: coupon?.guestHistoryConditions ?? [], fulfilment: fulfilment, wantedAt: wanted,
            etaMinutes: wanted == nil
                ? terms.etaMinutes(fulfilment, at: facts.menu.moment, openOrders: openOrders, area: area) : nil)
    }

    /// Errors of the dishes, and of sets that their sales groups no longer offer.
    private static func dishErrors(_ priced: PricedBasket) -> [FieldError] {
        let setErrors = priced.sets.compactMap { set in
            set.saleChange.map { FieldError(.sale(set.salesGroupID), $0.code) }
        }
        return setErrors + LineEvaluation.all(in: priced).flatMap(\.errors)
    }

    /// Errors of the delivery area. `missingFields` reports a missing postcode, and the form a malformed one.
    private static func areaErrors(_ area: DeliveryArea?, _ priced: PricedBasket, _ form: CheckoutForm) -> [FieldError]
    {
        guard let area else { return form.parsedPostcode == nil ? [] : [FieldError(.postcode, .outOfDeliveryArea)] }
        // An empty basket already has its own error.
        guard priced.total < area.minimumSubtotal, !priced.basket.isEmpty else { return [] }
        let missing = (area.minimumSubtotal - priced.total).minorUnits
        return [FieldError(.basket, .orderMinimumNotReached, ["missingAmount": .integer(missing)])]
    }

    /// Whether the guest was shown the current total, currency and total lines. If the guest sent no currency, the
    /// currency that the basket recorded is compared.
    func matchesPrices(shownTo guest: CheckoutDetails) -> Bool {
        guest.expectedTotal == quote.total && shownCurrency(to: guest) == quote.currency.code
            && totalDifferences(from: guest).isEmpty
    }

    /// The changes of currency, prices and total lines since the guest was shown them. A sum is listed only if nothing
    /// else changed, because it follows from its parts.
    func priceChanges(since shown: CheckoutDetails) -> [PriceChange] {
        var changes: [PriceChange] = []
        let currency = shownCurrency(to: shown)
        if currency != quote.currency.code { changes.append(.currency(old: currency, new: quote.currency.code)) }
        changes += LineEvaluation.all(in: priced).flatMap(\.priceChanges)
        let totals = totalDifferences(from: shown)
        changes += totals.filter { !$0.key.kind.isSum }.map(PriceChange.total)
        if changes.isEmpty, shown.expectedTotal != quote.total {
            return [.amount(.form(.expectedTotal), old: shown.expectedTotal, new: quote.total, cause: .total(.total))]
        }
        if changes.isEmpty { changes = totals.map(PriceChange.total) }
        // Dishes of the same item in a set share a path, and so do repeated entries of an option.
        var seen: Set<PriceChange> = []
        return changes.filter { seen.insert($0).inserted }.sorted { $0.path.isBefore($1.path) }
    }

    private func totalDifferences(from guest: CheckoutDetails) -> [(key: TotalKey, old: Int64, new: Int64)] {
        guest.expectedTotals.map(quote.totals.differences) ?? []
    }

    private func shownCurrency(to guest: CheckoutDetails) -> CurrencyCode { guest.currency ?? priced.basket.currency }

    /// Nil if no coupon was given, or if its text is malformed: the form already reports that.
    private static func validCoupon(
        _ basket: PricedBasket, _ form: CheckoutForm, _ facts: CheckoutFacts
    ) -> Result<(Coupon, Discount), FieldError>? {
        guard let key = form.parsedCouponKey else { return nil }
        guard let coupon = facts.coupon, coupon.key == key, let reading = facts.clockReading else {
            return .failure(FieldError(.coupon, .couponUnknown))
        }
        let birthday: Birthday?
        switch Birthday.parse(form.birthday ?? "") {
        case .success(let given): birthday = given
        // A malformed birthday is reported only once, at its own field.
        case .failure where coupon.condition == .birthday: return nil
        case .failure: birthday = nil
        }
        return coupon.discount(on: basket, birthday: birthday, now: reading.now, today: reading.today).map {
            (coupon, $0)
        }
    }
}

extension FieldErrors {
    /// Both lists of errors, in the order of the API contract. On the same path, the other errors win: they carry
    /// more detail.
    func merging(_ others: [FieldError]) -> FieldErrors {
        let paths = Set(others.map(\.path))
        return FieldErrors(all.filter { !paths.contains($0.path) } + others) ?? self
    }
}

extension String? {
    /// Nil, empty or only whitespace.
    fileprivate var isBlank: Bool { self?.allSatisfy(\.isWhitespace) ?? true }
}
