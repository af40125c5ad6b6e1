// A basket, its coupon and its tip judged by the facts: which line is sold out, what else is wrong, and what it all costs. Used by Checkout,
// for orders, and by LiveForm; nothing here looks at the guest's past.

/// What the database knows of a checkout, judged.
struct JudgedBasket {
    let priced: PricedBasket
    /// The coupon that was asked for and may be used now.
    let coupon: Coupon?
    /// Of the basket, the coupon and the tip, not sorted.
    let errors: [FieldError]
    let quote: Quote
    /// How old whoever takes the order has to be; nil where anybody may.
    let minimumAge: Int?
    /// What it takes of what is counted.
    let stock: StockDemand
    /// When it would not be judged otherwise.
    let holds: TimeSpan

    init(_ basket: Basket, _ form: CheckoutForm, _ facts: CheckoutFacts) {
        let priced = PricedBasket(basket, menu: facts.menu)
        var errors = priced.isOrderable ? [] : PlacedLine.all(in: priced).flatMap(\.errors)
        let dishes = facts.stock.isUntracked ? [] : basket.stockedDishes
        errors += facts.stock.shortages(dishes)
        stock = StockDemand(dishes).counted(in: facts.stock)
        holds = priced.availability.holds.overlap(facts.stock.holds(dishes))
        if basket.isEmpty { errors.append(FieldError(.basket, .basketEmpty)) }
        var coupon: Coupon?
        var discount: Discount?
        switch JudgedBasket.judgeCoupon(priced, form, facts) {
        case .success((let valid, let amount))?: (coupon, discount) = (valid, amount)
        case .failure(let error)?: errors.append(error)
        case nil: break
        }
        let reduction = coupon.flatMap { coupon in
            discount.map { Bill.Reduction(code: coupon.key.text, title: coupon.title(in: facts.menu), amount: $0.amount) }
        }
        let bill = Bill(priced, facts.menu.terms, reduction: reduction, tip: form.tip)
        if let tip = form.tip, !(0...bill.highestTip.minorUnits).contains(tip) { errors.append(.tipOutOfRange(maximum: bill.highestTip)) }
        minimumAge = priced.minimumAge
        if let minimumAge, form.ageConfirmed != true {
            errors.append(FieldError(.ageConfirmed, .ageConfirmationRequired, ["age": .integer(Int64(minimumAge))]))
        }
        self.priced = priced
        self.coupon = coupon
        self.errors = errors
        quote = Quote(priced, discount: discount, totals: bill.totals, conditions: coupon?.conditionsOnPast ?? [])
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
        changes += PlacedLine.all(in: priced).flatMap(\.changes)
        let totals = differences(from: shown)
        changes += totals.filter { !$0.key.kind.isSum }.map(PriceChange.total)
        if changes.isEmpty, shown.expectedTotal != quote.total {
            return [.amount(.expectedTotal, old: shown.expectedTotal, new: quote.total, cause: .total)]
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
