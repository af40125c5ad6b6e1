// What is wrong with a basket's dishes at a moment: sold out, not served then, options, too few left of what staff count. The one pure function that
// GET /v1/times, the checkout and what is offered instead of a full slot share. Used by Checkout's JudgedBasket and by SlotTimes.swift.

/// A basket's dishes as they can be had at a moment.
struct DishesThen {
    let priced: PricedBasket
    /// All of them; none where nothing is counted.
    let counted: [StockedDish]
    /// Of what is counted, of which there are too few.
    let shortages: [FieldError]
    private let stock: StockLeft

    /// - Parameters:
    ///   - menu: at that moment, without a look at what is left.
    ///   - stock: what is left then.
    init(_ basket: Basket, _ menu: Menu, _ stock: StockLeft) {
        priced = PricedBasket(basket, menu: menu)
        counted = stock.isUntracked ? [] : basket.stockedDishes
        self.stock = stock
        shortages = counted.isEmpty ? [] : stock.shortages(counted)
    }

    /// Whether all of it can be had then.
    var canBeHad: Bool { priced.isOrderable && shortages.isEmpty }

    /// For how long they can be had, or can't.
    var holds: TimeSpan { priced.availability.holds.overlap(stock.holds(counted)) }
}

/// Whether a basket's dishes can be had, asked of many moments: judged anew only where the last judgement does not hold.
struct DishesByTime {
    private let basket: Basket?
    private let menu: Menu
    private let stock: StockOfDays
    private var last: (holds: TimeSpan, areThere: Bool)?

    /// - Parameter basket: nil: anything, which can be had.
    init(_ basket: Basket?, _ menu: Menu, _ stock: StockOfDays) { (self.basket, self.menu, self.stock) = (basket, menu, stock) }

    mutating func areThere(at moment: Instant) -> Bool {
        guard let basket else { return true }
        if let last, last.holds.contains(moment) { return last.areThere }
        let then = DishesThen(basket, menu.at(moment), stock.left(at: moment))
        last = (then.holds, then.canBeHad)
        return then.canBeHad
    }
}
