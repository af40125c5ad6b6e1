// Whether what is left covers what is wanted: for a checkout everything that is short and where, for a basket whether a thing can be had.
// Pure; what is left comes in as a fact. Called by Times' DishesThen for a checkout, by PricedBasket for a basket.

extension StockLeft {
    /// Whether a thing can be had so often.
    package func availability(of thing: StockedThing, wanted: Int64 = 1) -> Availability {
        self[thing].map { Availability(left: $0.left, wanted: max(wanted, 1), counted: $0.holds) } ?? .always
    }

    /// Whether a dish can be had when all this is wanted together with it.
    package func availability(of dish: StockedDish, in demand: StockDemand) -> Availability {
        Availability(ofAll: dish.uses.map { availability(of: $0.thing, wanted: demand[$0.thing]) })
    }

    /// What is short when all these dishes are wanted together, at every dish that holds it, with how many there are.
    package func shortages(_ dishes: [StockedDish]) -> [FieldError] {
        let demand = StockDemand(dishes)
        var told: Set<FieldError> = []
        return dishes.flatMap { dish in
            dish.uses.compactMap { use in
                guard let count = self[use.thing], count.left < demand[use.thing] else { return nil }
                let error = FieldError(dish.path, use.thing, available: count.left)
                // Two dishes of one item in a set have one path.
                return told.insert(error).inserted ? error : nil
            }
        }
    }

    /// For how long the counts of what these dishes need are those that they were judged by.
    package func holds(_ dishes: [StockedDish]) -> TimeSpan {
        dishes.lazy.flatMap(\.uses).compactMap { self[$0.thing]?.holds }.reduce(.always) { $0.overlap($1) }
    }
}

extension FieldError {
    /// Too few are left of this.
    fileprivate init(_ path: FieldPath, _ thing: StockedThing, available: Int64) {
        var params: [String: FieldParameter] = ["available": .integer(available)]
        if case .option(let id) = thing { params["optionId"] = .integer(id.rawValue) }
        self.init(path, .stockShort, params)
    }
}
