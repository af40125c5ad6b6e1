// What is offered instead of a slot that is full, and what has to be known for it: where a dish of the basket is counted, how many are left on other days
// too. Only who meets a full slot pays for it. Used by JudgedTime.swift. Read next: DishesThen.swift, Checkout/OtherDays.swift.

extension SlotTimes {
    /// The next slots after a moment for which the basket can be wanted.
    func others(after wanted: Instant, _ basket: Basket, _ menu: Menu, _ taken: SlotsTaken, _ stock: StockOfDays) -> [Slot] {
        var dishes = DishesByTime(basket, menu, stock)
        var others: [Slot] = []
        for day in days(from: menu.terms.zone.date(of: wanted)) {
            for slot in free(on: day, for: basket.units, taken: taken) where slot.startsAt > wanted {
                guard dishes.areThere(at: slot.startsAt) else { continue }
                others.append(slot)
                if others.count == Self.othersOffered { return others }
            }
        }
        return others
    }

    private static let othersOffered = 3

    /// A moment of each business day on which a slot of these days can be wanted.
    func moments(of days: some Sequence<LocalDate>) -> [Instant] {
        // A day of the clock has a part of two of them, so that its first slot and its last say which.
        days.flatMap { day -> [Instant] in
            let slots = open(on: day)
            return [slots.first, slots.last].compactMap { $0?.startsAt }
        }
    }
}

extension Menu {
    /// What has to be known for `times` of a basket.
    /// - Parameter stock: what is left now of what is counted.
    package func question(of basket: Basket, _ fulfilment: Fulfilment, on day: LocalDate?, counted stock: StockLeft) -> StockQuestion {
        let things = basket.things(countedIn: stock)
        guard !things.isEmpty else { return StockQuestion() }
        let times = SlotTimes(fulfilment, terms, at: moment, area: nil)
        return StockQuestion(things, at: [moment] + times.moments(of: [day ?? times.today]))
    }
}

extension FieldError {
    /// That a slot is full, and which are not.
    static func slotFull(offering others: [Slot]) -> FieldError {
        FieldError(.wantedAt, .slotFull, ["alternatives": .texts(others.map(\.startsAt.rfc3339))])
    }

    var offersOtherSlots: Bool { code == .slotFull && params["alternatives"] != nil }
}
