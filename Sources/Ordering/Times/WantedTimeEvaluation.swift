// Checks whether an order is possible at its wanted time: as soon as possible, or in a slot.

/// The evaluation of a wanted time.
struct WantedTimeEvaluation {
    /// The first error; nil if the time is valid.
    let error: FieldError?
    /// The interval in which the evaluation stays true, as far as it depends on the clock.
    let validity: TimeRange

    /// - Parameters:
    ///   - wanted: nil: as soon as possible.
    ///   - area: the delivery area; nil if it is unknown or not needed.
    ///   - basket: takes capacity of the slot. Alternatives have capacity for it, and its dishes are available then.
    ///   - occupancy: of the wanted slot. If that slot is full, the later slots are needed too.
    ///   - stock: the known stock, which is needed only if the slot is full.
    init(
        _ wanted: Instant?, _ fulfilment: Fulfilment, area: DeliveryArea?, _ basket: Basket, _ menu: Menu,
        occupancy: SlotOccupancy,
        stock: @autoclosure () -> DailyStock
    ) {
        let (terms, now) = (menu.terms, menu.moment)
        let changes = [terms.pauseUntil, terms.busyUntil].lazy.compactMap(\.self)
        guard let wanted else {
            let opening = terms.opening.openingState(fulfilment, at: now, in: terms.zone)
            validity = opening.validity.intersection(TimeRange(around: now, excluding: changes))
            error =
                if !opening.isOpen { .shopClosed(opensAt: opening.opensAt) } else { terms.pauseError(at: now) }
            return
        }
        let times = SlotSchedule(fulfilment, terms, at: now, area: area)
        // A wanted time exactly `leadTime` from now is still valid; one microsecond later it is too soon.
        let until = wanted.advanced(by: .zero - times.leadTime).advanced(by: .microseconds(1))
        let permittedRange = TimeRange(from: times.bookableFrom(terms.zone.date(of: wanted)), until: until)
        validity =
            permittedRange.contains(now)
            ? permittedRange.intersection(TimeRange(around: now, excluding: changes))
            : TimeRange(around: now, excluding: changes)
        error = Self.judge(wanted, times, terms, basket, occupancy) {
            times.alternatives(after: wanted, basket, menu, occupancy, stock())
        }
    }

    private static func judge(
        _ wanted: Instant, _ times: SlotSchedule, _ terms: ShopTerms, _ basket: Basket, _ taken: SlotOccupancy,
        others: () -> [Slot]
    ) -> FieldError? {
        if wanted < times.earliest {
            return FieldError(.wantedAt, .tooSoon, ["earliest": .text(times.earliest.rfc3339)])
        }
        let day = terms.zone.date(of: wanted)
        if day > times.lastDay {
            let latest = times.days(from: times.today).reversed().lazy.compactMap { times.slots(on: $0).last }.first
            return FieldError(.wantedAt, .tooFar, latest.map { ["latest": .text($0.startsAt.rfc3339)] } ?? [:])
        }
        let opening = terms.opening.openingState(times.fulfilment, at: wanted, in: terms.zone)
        if !opening.isOpen { return .shopClosed(opensAt: opening.opensAt) }
        if let error = terms.pauseError(at: wanted) { return error }
        guard times.bookableSlots(on: day).contains(where: { $0.startsAt == wanted }) else {
            return FieldError(.wantedAt, .notASlot)
        }
        let items = basket.dishCount
        if times.fulfilmentTerms.hasCapacity(for: items, alongside: taken[SlotKey(times.fulfilment, wanted)]) {
            return nil
        }
        if let limit = times.fulfilmentTerms.itemsPerSlot, items > limit {
            return FieldError(.wantedAt, .slotFull, ["limit": .integer(limit)])
        }
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
