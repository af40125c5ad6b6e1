// Determines which stock a checkout needs to offer alternatives to a full slot. The checkout queue loads it and
// decides again.

extension CheckoutFacts {
    /// The stock to load before alternatives to a full slot can be offered. Empty if no alternatives are offered or all
    /// stock is known.
    /// - Parameter errors: the errors of the form with these facts.
    package func stockQuery(for form: CheckoutForm, rejectedBecause errors: [FieldError]) -> StockQuery {
        guard dailyStock == nil, errors.contains(where: \.offersAlternatives), let wanted = form.parsedWantedTime,
            let basket
        else {
            return StockQuery()
        }
        let things = basket.stockKeys(countedIn: stock)
        guard !things.isEmpty else { return StockQuery() }
        let times = SlotSchedule(form.chosenFulfilment, menu.terms, at: menu.moment, area: nil)
        return StockQuery(things, at: times.businessDaySamples(of: times.days(from: menu.terms.zone.date(of: wanted))))
    }

    /// The facts with the stock of other days.
    package func adding(stock stockOfDays: DailyStock) -> CheckoutFacts {
        var facts = self
        facts.dailyStock = stockOfDays
        return facts
    }
}
