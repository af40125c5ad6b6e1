// Determines which stock a checkout needs to offer alternatives to a full slot. The checkout queue loads it and
// decides again.

extension CheckoutFacts {
    /// The stock to load before alternatives to a full slot can be offered; empty if none are offered or all stock is
    /// known.
    /// - Parameter errors: the errors of the form with these facts.
    package func question(of form: CheckoutForm, refusedFor errors: [FieldError]) -> StockQuestion {
        guard stockOfDays == nil, errors.contains(where: \.offersOtherSlots), let wanted = form.wantedMoment, let basket else {
            return StockQuestion()
        }
        let things = basket.things(countedIn: stock)
        guard !things.isEmpty else { return StockQuestion() }
        let times = SlotTimes(form.chosenFulfilment, menu.terms, at: menu.moment, area: nil)
        return StockQuestion(things, at: times.moments(of: times.days(from: menu.terms.zone.date(of: wanted))))
    }

    /// The facts with the stock of other days.
    package func knowing(_ stockOfDays: StockOfDays) -> CheckoutFacts {
        var facts = self
        facts.stockOfDays = stockOfDays
        return facts
    }
}
