// The availability of a basket at a given time: sold-out dishes, serving hours, options and stock. Shared by the
// checkout and the offered times.

/// The availability of a basket's dishes at a given time.
struct DishesThen {
    let priced: PricedBasket
    /// All dishes; empty if nothing is counted.
    let counted: [StockedDish]
    /// The errors of dishes with insufficient stock.
    let shortages: [FieldError]
    private let stock: StockLeft

    /// - Parameters:
    ///   - menu: the menu at that time, without stock counts.
    ///   - stock: the remaining stock at that time.
    init(_ basket: Basket, _ menu: Menu, _ stock: StockLeft) {
        priced = PricedBasket(basket, menu: menu)
        counted = stock.isUntracked ? [] : basket.stockedDishes
        self.stock = stock
        shortages = counted.isEmpty ? [] : stock.shortages(counted)
    }

    /// Whether all dishes can be ordered.
    var canBeHad: Bool { priced.isOrderable && shortages.isEmpty }

    /// The interval in which the result stays true.
    var holds: TimeSpan { priced.availability.holds.overlap(stock.holds(counted)) }
}

/// The availability of a basket at many times. Evaluates again only outside the validity of the last result.
struct DishesByTime {
    private let basket: Basket?
    private let menu: Menu
    private let stock: StockOfDays
    private var last: (validity: TimeSpan, isAvailable: Bool)?

    /// - Parameter basket: nil: any basket, which is always available.
    init(_ basket: Basket?, _ menu: Menu, _ stock: StockOfDays) { (self.basket, self.menu, self.stock) = (basket, menu, stock) }

    mutating func areThere(at moment: Instant) -> Bool {
        guard let basket else { return true }
        if let last, last.validity.contains(moment) { return last.isAvailable }
        let result = DishesThen(basket, menu.at(moment), stock.left(at: moment))
        last = (result.holds, result.canBeHad)
        return result.canBeHad
    }
}
