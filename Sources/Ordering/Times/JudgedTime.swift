// Whether an order can be had when it is wanted: as soon as possible, or in a slot. Used by Checkout's JudgedBasket.
// Read next: SlotTimes.swift.

/// A time that was wanted, judged.
struct JudgedTime {
    /// What is wrong with it; at most one thing.
    let error: FieldError?
    /// When it would not be judged otherwise, as far as the clock is concerned.
    let holds: TimeSpan

    /// - Parameters:
    ///   - wanted: nil: as soon as possible.
    ///   - area: to which it is brought; nil where that is not known, or nobody asks.
    ///   - basket: what takes a place in a slot; what is offered instead has room for it, and its dishes can be had then.
    ///   - taken: of the slots.
    ///   - stock: what is left of what is counted, as far as it is known; asked for where the slot is full.
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
                if !opening.isOpen { .shopClosed(opensAt: opening.opensAt) } else { terms.pause(of: now) }
            return
        }
        let times = SlotTimes(fulfilment, terms, at: now, area: area)
        // At the earliest moment itself it is in time, and a microsecond later too late.
        let until = wanted.advanced(by: .zero - times.ahead).advanced(by: .microseconds(1))
        let inTime = TimeSpan(from: times.inReach(terms.zone.date(of: wanted)), until: until)
        holds = inTime.contains(now) ? inTime.overlap(TimeSpan(around: now, without: changes)) : TimeSpan(around: now, without: changes)
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
        if let pause = terms.pause(of: wanted) { return pause }
        guard times.open(on: day).contains(where: { $0.startsAt == wanted }) else { return FieldError(.wantedAt, .notASlot) }
        let items = basket.units
        if times.own.hasPlace(for: items, beside: taken[SlotKey(times.fulfilment, wanted)]) { return nil }
        if let limit = times.own.itemsPerSlot, items > limit { return FieldError(.wantedAt, .slotFull, ["limit": .integer(limit)]) }
        return .slotFull(offering: others())
    }
}

extension ShopTerms {
    /// That nothing is taken which is wanted at this moment.
    fileprivate func pause(of wanted: Instant) -> FieldError? {
        guard let pauseUntil, wanted < pauseUntil else { return nil }
        return FieldError(.wantedAt, .shopPaused, ["until": .text(pauseUntil.rfc3339)])
    }
}

extension FieldError {
    fileprivate static func shopClosed(opensAt: Instant?) -> FieldError {
        FieldError(.wantedAt, .shopClosed, opensAt.map { ["opensAt": .text($0.rfc3339)] } ?? [:])
    }
}
