// Compares the remaining stock with the demand of a checkout or a basket.

extension StockLevels {
    /// Whether `wanted` units are available.
    package func availability(of thing: StockKey, wanted: Int64 = 1) -> Availability {
        self[thing].map { Availability(remaining: $0.remaining, wanted: max(wanted, 1), countValidity: $0.validity) }
            ?? .always
    }

    /// Whether a dish is available as a part of the total demand.
    package func availability(of dish: DishDemand, in demand: StockDemand) -> Availability {
        Availability(ofAll: dish.uses.map { availability(of: $0.thing, wanted: demand[$0.thing]) })
    }

    /// The shortages of all dishes together: an error for every dish that uses an item or option with too few units,
    /// with the number of units left.
    package func shortages(_ dishes: [DishDemand]) -> [FieldError] {
        let demand = StockDemand(dishes)
        var reported: Set<FieldError> = []
        return dishes.flatMap { dish in
            dish.uses.compactMap { use in
                guard let count = self[use.thing], count.remaining < demand[use.thing] else { return nil }
                let error = FieldError(dish.path, use.thing, available: count.remaining)
                // Dishes of the same item in a set share a path.
                return reported.insert(error).inserted ? error : nil
            }
        }
    }

    /// The interval in which the stock counts of these dishes stay valid.
    package func validity(of dishes: [DishDemand]) -> TimeRange {
        dishes.lazy.flatMap(\.uses).compactMap { self[$0.thing]?.validity }.reduce(.always) { $0.intersection($1) }
    }
}

extension FieldError {
    /// Too few units are left.
    fileprivate init(_ path: FieldPath, _ thing: StockKey, available: Int64) {
        var params: [String: FieldParameter] = ["available": .integer(available)]
        if case .option(let id) = thing { params["optionId"] = .integer(id.rawValue) }
        self.init(path, .stockShort, params)
    }
}
