// Alternatives to a full slot, and the stock on other days that they depend on. Only a checkout for a full slot
// queries that stock and the occupancy of later slots.

extension SlotSchedule {
    /// The next slots after a time that have capacity for the basket and in which its dishes are available.
    func alternatives(
        after wanted: Instant, _ basket: Basket, _ menu: Menu, _ taken: SlotOccupancy, _ stock: DailyStock
    ) -> [Slot] {
        var availability = BasketAvailabilityCache(basket, menu, stock)
        var others: [Slot] = []
        for day in days(from: menu.terms.zone.date(of: wanted)) {
            for slot in freeSlots(on: day, for: basket.dishCount, occupancy: taken) where slot.startsAt > wanted {
                guard availability.isAvailable(at: slot.startsAt) else { continue }
                others.append(slot)
                if others.count == Self.alternativeLimit { return others }
            }
        }
        return others
    }

    private static let alternativeLimit = 3

    /// Instants that cover every business day with a slot on these dates.
    func businessDaySamples(of days: some Sequence<LocalDate>) -> [Instant] {
        // A date is part of two business days; its first and its last slot cover both.
        days.flatMap { day -> [Instant] in
            let slots = bookableSlots(on: day)
            return [slots.first, slots.last].compactMap { $0?.startsAt }
        }
    }
}

extension Menu {
    /// The stock to load before calling `offeredTimes` for a basket.
    /// - Parameter stock: the remaining stock now, which shows what is counted.
    package func stockQuery(
        for basket: Basket, _ fulfilment: Fulfilment, on day: LocalDate?, counted stock: StockLevels
    ) -> StockQuery {
        let things = basket.stockKeys(countedIn: stock)
        guard !things.isEmpty else { return StockQuery() }
        let times = SlotSchedule(fulfilment, terms, at: moment, area: nil)
        return StockQuery(things, at: [moment] + times.businessDaySamples(of: [day ?? times.today]))
    }
}

extension FieldError {
    /// The error for a full slot, with its alternatives.
    static func slotFull(offering others: [Slot]) -> FieldError {
        FieldError(.wantedAt, .slotFull, ["alternatives": .texts(others.map(\.startsAt.rfc3339))])
    }

    var offersAlternatives: Bool { code == .slotFull && params["alternatives"] != nil }
}
