// Determines what a checkout needs to offer alternatives to a full slot. The checkout queue loads it and decides again.

/// The slots and the stock to load before alternatives to full slots can be offered.
package struct AlternativesQuery: Sendable, Hashable {
    package let slots: SlotQuery
    /// Empty if nothing in the baskets is counted.
    package let stock: StockQuery

    init(slots: SlotQuery, stock: StockQuery) { (self.slots, self.stock) = (slots, stock) }

    /// This query together with another one.
    package func union(_ other: AlternativesQuery) -> AlternativesQuery {
        var stock = stock
        stock.formUnion(other.stock)
        return AlternativesQuery(slots: slots.union(other.slots), stock: stock)
    }
}

extension CheckoutFacts {
    /// The query to load before alternatives to a full slot can be offered. Nil if no alternatives are offered, or if
    /// they are loaded already.
    /// - Parameter errors: the errors of the form with these facts.
    package func alternativesQuery(for form: CheckoutForm, rejectedBecause errors: [FieldError]) -> AlternativesQuery? {
        guard dailyStock == nil, errors.contains(where: \.offersAlternatives), let wanted = form.parsedWantedTime,
            let basket
        else { return nil }
        let times = SlotSchedule(form.chosenFulfilment, menu.terms, at: menu.moment, area: nil)
        let slots = SlotQuery(form.chosenFulfilment, startingIn: wanted...max(wanted, times.endOfLastDay))
        let things = basket.stockKeys(countedIn: stock)
        guard !things.isEmpty else { return AlternativesQuery(slots: slots, stock: StockQuery()) }
        let moments = times.businessDaySamples(of: times.days(from: menu.terms.zone.date(of: wanted)))
        return AlternativesQuery(slots: slots, stock: StockQuery(things, at: moments))
    }

    /// The facts with the occupancy of other slots and the stock of other days. The known slots keep their occupancy,
    /// so the wanted slot remains full.
    package func adding(occupancy others: SlotOccupancy, stock stockOfDays: DailyStock) -> CheckoutFacts {
        var facts = self
        facts.slotOccupancy = slotOccupancy.adding(others)
        facts.dailyStock = stockOfDays
        return facts
    }
}
