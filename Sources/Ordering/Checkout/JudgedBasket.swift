// A basket judged by the facts: which line is sold out, whether it can be had when and where it is wanted, what else is wrong, and what it all
// costs. Used by Checkout, for orders, and by LiveForm; nothing here looks at the guest's past. Read next: Times/JudgedTime.swift, Totals/Bill.swift.

/// What the database knows of a checkout, judged.
struct JudgedBasket {
    let priced: PricedBasket
    /// The coupon that was asked for and may be used now.
    let coupon: Coupon?
    /// Of the basket, the coupon, the time, the place and the tip, not sorted.
    let errors: [FieldError]
    /// What is not wrong while it is not sent yet, but has to be sent.
    let missing: [FieldError]
    let quote: Quote
    /// How old whoever takes the order has to be; nil where anybody may.
    let minimumAge: Int?
    /// What it takes of what is counted.
    let stock: StockDemand
    /// When it would not be judged otherwise.
    let holds: TimeSpan

    init(_ basket: Basket, _ form: CheckoutForm, _ facts: CheckoutFacts, openOrders: Int) {
        let (fulfilment, wanted, terms) = (form.chosenFulfilment, form.wantedMoment, facts.menu.terms)
        // What can be had is what can be had then.
        let then = DishesThen(basket, wanted.map(facts.menu.at) ?? facts.menu, facts.stock)
        let priced = then.priced
        var errors = (priced.isOrderable ? [] : JudgedBasket.judgeDishes(priced)) + then.shortages
        stock = then.counted.isEmpty ? .nothing : StockDemand(then.counted).counted(in: facts.stock)
        if basket.isEmpty { errors.append(FieldError(.basket, .basketEmpty)) }
        var coupon: Coupon?
        var discount: Discount?
        switch JudgedBasket.judgeCoupon(priced, form, facts) {
        case .success((let valid, let amount))?: (coupon, discount) = (valid, amount)
        case .failure(let error)?: errors.append(error)
        case nil: break
        }

        var area: DeliveryArea?
        var missing: [FieldError] = []
        var holds = TimeSpan.always
        if terms[fulfilment].isOffered {
            if terms.needsPostcode(fulfilment) {
                area = terms.area(fulfilment, form.knownPostcode)
                errors += JudgedBasket.judgeArea(area, priced, form)
                if area == nil, form.postcode.isBlank { missing.append(FieldError(.postcode, .postcodeRequired)) }
            }
            if form.wantedAt == nil || wanted != nil {
                let time = JudgedTime(
                    wanted, fulfilment, area: area, basket, facts.menu, taken: facts.slots,
                    stock: facts.stockOfDays ?? StockOfDays(facts.stock))
                if let error = time.error { errors.append(error) }
                holds = time.holds
            }
        } else {
            errors.append(FieldError(.fulfilment, .fulfilmentNotOffered))
        }
        // What is wanted for later is judged by that moment, whenever it is ordered.
        self.holds = wanted == nil ? holds.overlap(then.holds) : holds

        let reduction = coupon.flatMap { coupon in
            discount.map { Bill.Reduction(code: coupon.key.text, title: coupon.title(in: facts.menu), discount: $0) }
        }
        let bill = Bill(
            priced, terms, fulfilment, area: area, reduction: reduction, tip: form.tip, titles: facts.menu.totalTitles)
        if bill.refusesTip { errors.append(.tipOutOfRange(maximum: bill.highestTip)) }
        minimumAge = priced.minimumAge
        if let minimumAge, form.ageConfirmed != true {
            errors.append(FieldError(.ageConfirmed, .ageConfirmationRequired, ["age": .integer(Int64(minimumAge))]))
        }
        (self.priced, self.coupon, self.errors, self.missing) = (priced, coupon, errors, missing)
        quote = Quote(
            priced, bill, conditions: coupon?.conditionsOnPast ?? [], fulfilment: fulfilment, wantedAt: wanted,
            etaMinutes: wanted == nil ? terms.etaMinutes(fulfilment, at: facts.menu.moment, openOrders: openOrders, area: area) : nil)
    }

    /// The errors of the dishes, and of sets that their sales do not offer any more.
    private static func judgeDishes(_ priced: PricedBasket) -> [FieldError] {
        let ofSets = priced.sets.compactMap { set in
            set.saleChange.map { FieldError(.sale(set.salesGroupID), $0.code) }
        }
        return ofSets + JudgedLine.all(in: priced).flatMap(\.errors)
    }

    /// What is wrong with where it goes to; a postcode that is missing, or none, is told elsewhere.
    private static func judgeArea(_ area: DeliveryArea?, _ priced: PricedBasket, _ form: CheckoutForm) -> [FieldError] {
        guard let area else { return form.knownPostcode == nil ? [] : [FieldError(.postcode, .outOfDeliveryArea)] }
        // An empty basket has been told that it is empty.
        guard priced.total < area.minimumSubtotal, !priced.basket.isEmpty else { return [] }
        let missing = (area.minimumSubtotal - priced.total).minorUnits
        return [FieldError(.basket, .orderMinimumNotReached, ["missingAmount": .integer(missing)])]
    }

    /// Whether the guest was shown this total in this currency: the one that was sent, else the one that the basket recorded; and this list
    /// of totals, if one was sent.
    func isAsShown(to guest: CheckoutDetails) -> Bool {
        guest.expectedTotal == quote.total && shownCurrency(to: guest) == quote.currency.code && differences(from: guest).isEmpty
    }

    /// The currency if it is another, the totals that differ from the list that was shown, and the prices that changed since the basket
    /// recorded them; where there is nothing of these, the total alone. Sums differ by what they are the sums of, so that they stand here only
    /// where a list did not add up.
    func changes(since shown: CheckoutDetails) -> [PriceChange] {
        var changes: [PriceChange] = []
        let currency = shownCurrency(to: shown)
        if currency != quote.currency.code { changes.append(.currency(old: currency, new: quote.currency.code)) }
        changes += JudgedLine.all(in: priced).flatMap(\.changes)
        let totals = differences(from: shown)
        changes += totals.filter { !$0.key.kind.isSum }.map(PriceChange.total)
        if changes.isEmpty, shown.expectedTotal != quote.total {
            return [.amount(.form(.expectedTotal), old: shown.expectedTotal, new: quote.total, cause: .total(.total))]
        }
        if changes.isEmpty { changes = totals.map(PriceChange.total) }
        // Two dishes of one item in a set have one path, and so have two entries of one option.
        var told: Set<PriceChange> = []
        return changes.filter { told.insert($0).inserted }.sorted { $0.path.isBefore($1.path) }
    }

    private func differences(from guest: CheckoutDetails) -> [(key: TotalKey, old: Int64, new: Int64)] {
        guest.expectedTotals.map(quote.totals.differences) ?? []
    }

    private func shownCurrency(to guest: CheckoutDetails) -> CurrencyCode { guest.currency ?? priced.basket.currency }

    /// Nil where no coupon was given, or where what was given can't be one: then the form has said so.
    private static func judgeCoupon(
        _ basket: PricedBasket, _ form: CheckoutForm, _ facts: CheckoutFacts
    ) -> Result<(Coupon, Discount), FieldError>? {
        guard let key = form.couponKey else { return nil }
        guard let coupon = facts.coupon, coupon.key == key, let moment = facts.moment else {
            return .failure(FieldError(.coupon, .couponUnknown))
        }
        let birthday: Birthday?
        switch Birthday.parse(form.birthday ?? "") {
        case .success(let given): birthday = given
        // A birthday that can't be read is told once, beside its own field.
        case .failure where coupon.condition == .birthday: return nil
        case .failure: birthday = nil
        }
        return coupon.judge(basket, birthday: birthday, now: moment.now, today: moment.today).map { (coupon, $0) }
    }
}

extension FieldErrors {
    /// These and others, in the contract's order. Of what the others say too, they know more.
    func adding(_ others: [FieldError]) -> FieldErrors {
        let places = Set(others.map(\.path))
        return FieldErrors(all.filter { !places.contains($0.path) } + others) ?? self
    }
}

extension String? {
    /// Nothing, or nothing but spaces.
    fileprivate var isBlank: Bool { self?.allSatisfy(\.isWhitespace) ?? true }
}
