// The availability of a basket at a given time: sold-out dishes, serving hours, options and stock. Shared by the
// checkout and the offered times.

/// The availability of a basket's dishes at a given time.
struct BasketAvailability {
    let priced: PricedBasket
    /// All dishes; empty if nothing is counted.
    let countedDishes: [DishDemand]
    /// The errors of dishes with insufficient stock.
    let shortages: [FieldError]
    private let stock: StockLevels

    /// - Parameters:
    ///   - menu: the menu at that time, without stock counts.
    ///   - stock: the remaining stock at that time.
    init(_ basket: Basket, _ menu: Menu, _ stock: StockLevels) {
        priced = PricedBasket(basket, menu: menu)
        countedDishes = stock.isUntracked ? [] : basket.dishDemands
        self.stock = stock
        shortages = countedDishes.isEmpty ? [] : stock.shortages(countedDishes)
    }

    /// Whether all dishes can be ordered.
    var isAvailable: Bool { priced.isOrderable && shortages.isEmpty }

    /// The interval in which the result stays true.
    var validity: TimeRange { priced.availability.validity.intersection(stock.validity(of: countedDishes)) }
}

/// The availability of a basket at many times. Evaluates again only outside the validity of the last result.
struct BasketAvailabilityCache {
    private let basket: Basket?
    private let menu: Menu
    private let stock: DailyStock
    private var last: (validity: TimeRange, isAvailable: Bool)?

    /// - Parameter basket: nil: any basket, which is always available.
    init(_ basket: Basket?, _ menu: Menu, _ stock: DailyStock) {
        (self.basket, self.menu, self.stock) = (basket, menu, stock)
    }

    mutating func isAvailable(at moment: Instant) -> Bool {
        guard let basket else { return true }
        if let last, last.validity.contains(moment) { return last.isAvailable }
        let result = BasketAvailability(basket, menu.evaluated(at: moment), stock.levels(at: moment))
        last = (result.validity, result.isAvailable)
        return result.isAvailable
    }
}
