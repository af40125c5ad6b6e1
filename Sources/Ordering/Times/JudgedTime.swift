// Checks whether an order is possible at its wanted time: as soon as possible, or in a slot.

/// The evaluation of a wanted time.
struct JudgedTime {
    /// The first error; nil if the time is valid.
    let error: FieldError?
    /// The interval in which the evaluation stays true, as far as it depends on the clock.
    let holds: TimeSpan

    /// - Parameters:
    ///   - wanted: nil: as soon as possible.
    ///   - area: the delivery area; nil if it is unknown or not needed.
    ///   - basket: takes capacity of the slot. Alternatives have capacity for it, and its dishes are available then.
    ///   - taken: the occupancy of the slots.
    ///   - stock: the known stock, which is needed only if the slot is full.
    init(
        _ wanted: Instant?, _ fulfilment: Fulfilment, area: DeliveryArea?, _ basket: Basket, _ menu: Menu, taken: SlotsTaken,
        stock: @autoclosure () -> StockOfDays
    ) {
        let (terms, now) = (menu.terms, menu.moment)
        let changes = [terms.pauseUntil, terms.busyUntil].lazy.compactMap(\.self)
        guard let wanted else {
            let opening = terms.opening.opening(fulfilment, at: now, in: terms.zone)
            holds = opening.holds.overlap(TimeSpan(around: now, without: changes))
            error =
                if !opening.isOpen { .shopClosed(opensAt: opening.opensAt) } else { terms.pauseError(at: now) }
            return
        }
        let times = SlotTimes(fulfilment, terms, at: now, area: area)
        // Exactly at the limit the time is still valid; one microsecond later it is too soon.
        let until = wanted.advanced(by: .zero - times.ahead).advanced(by: .microseconds(1))
        let permittedRange = TimeSpan(from: times.inReach(terms.zone.date(of: wanted)), until: until)
        holds = permittedRange.contains(now) ? permittedRange.overlap(TimeSpan(around: now, without: changes)) : TimeSpan(around: now, without: changes)
        error = Self.judge(wanted, times, terms, basket, taken) { times.others(after: wanted, basket, menu, taken, stock()) }
    }

    private static func judge(
        _ wanted: Instant, _ times: SlotTimes, _ terms: ShopTerms, _ basket: Basket, _ taken: SlotsTaken, others: () -> [Slot]
    ) -> FieldError? {
        if wanted < times.earliest { return FieldError(.wantedAt, .tooSoon, ["earliest": .text(times.earliest.rfc3339)]) }
        let day = terms.zone.date(of: wanted)
        if day > times.lastDay {
            let latest = times.days(from: times.today).reversed().lazy.compactMap { times.slots(on: $0).last }.first
            return FieldError(.wantedAt, .tooFar, latest.map { ["latest": .text($0.startsAt.rfc3339)] } ?? [:])
        }
        let opening = terms.opening.opening(times.fulfilment, at: wanted, in: terms.zone)
        if !opening.isOpen { return .shopClosed(opensAt: opening.opensAt) }
        if let error = terms.pauseError(at: wanted) { return error }
        guard times.open(on: day).contains(where: { $0.startsAt == wanted }) else { return FieldError(.wantedAt, .notASlot) }
        let items = basket.units
        if times.own.hasPlace(for: items, beside: taken[SlotKey(times.fulfilment, wanted)]) { return nil }
        if let limit = times.own.itemsPerSlot, items > limit { return FieldError(.wantedAt, .slotFull, ["limit": .integer(limit)]) }
        return .slotFull(offering: others())
    }
}

extension ShopTerms {
    /// The error for a time during a pause.
    fileprivate func pauseError(at wanted: Instant) -> FieldError? {
        guard let pauseUntil, wanted < pauseUntil else { return nil }
        return FieldError(.wantedAt, .shopPaused, ["until": .text(pauseUntil.rfc3339)])
    }
}

extension FieldError {
    fileprivate static func shopClosed(opensAt: Instant?) -> FieldError {
        FieldError(.wantedAt, .shopClosed, opensAt.map { ["opensAt": .text($0.rfc3339)] } ?? [:])
    }
}
