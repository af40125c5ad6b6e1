// What a checkout has to know of other days once it has met a full slot: Shop's CheckoutQueue asks the database in between, and decides again.
// Read next: Times/OtherSlots.swift.

extension CheckoutFacts {
    /// What has to be known yet to say what is offered instead of a full slot; empty where nothing is offered, or all is known.
    /// - Parameter errors: what is wrong with the form by these facts.
    package func question(of form: CheckoutForm, refusedFor errors: [FieldError]) -> StockQuestion {
        guard stockOfDays == nil, errors.contains(where: \.offersOtherSlots), let wanted = form.wantedMoment, let basket else {
            return StockQuestion()
        }
        let things = basket.things(countedIn: stock)
        guard !things.isEmpty else { return StockQuestion() }
        let times = SlotTimes(form.chosenFulfilment, menu.terms, at: menu.moment, area: nil)
        return StockQuestion(things, at: times.moments(of: times.days(from: menu.terms.zone.date(of: wanted))))
    }

    /// The same, where this is known of other days too.
    package func knowing(_ stockOfDays: StockOfDays) -> CheckoutFacts {
        var facts = self
        facts.stockOfDays = stockOfDays
        return facts
    }
}
