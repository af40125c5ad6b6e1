// Whether the shop takes orders now, for each fulfilment.

/// The opening status of one fulfilment at the menu's time.
package struct OpeningStatus: Sendable, Hashable {
    package let fulfilment: Fulfilment
    package let isOffered: Bool
    /// Whether orders for as soon as possible are taken.
    package let isOpen: Bool
    /// The closing time; nil if it is closed, or no closing time is known.
    package let closesAt: Instant?
    /// The next opening time by the opening hours; nil if it is open, or no opening time is known.
    package let opensAt: Instant?
    /// The end of the pause; nil if orders are not paused.
    package let pausedUntil: Instant?
    /// The reason that staff gave for the pause.
    package let pauseReason: String?
    /// The conditions of an order; nil if the fulfilment is not offered or there is no delivery area.
    package let conditions: OrderConditions?
    /// Whether an order requires a postcode.
    package let needsPostcode: Bool
    /// The interval during which this status stays true.
    let validity: TimeRange
}

/// The conditions of an order for now, each from the lowest to the highest of all delivery areas.
package struct OrderConditions: Sendable, Hashable {
    /// Minutes until the order is ready or delivered, if the kitchen is idle.
    package let minutes: ClosedRange<Int>
    /// The minimum subtotal, before coupons.
    package let minimum: ClosedRange<Money>
    /// The delivery fee, for any subtotal.
    package let fee: ClosedRange<Money>
}

extension Menu {
    /// The opening status of every fulfilment, in the order of the cases.
    package var openingStatuses: [OpeningStatus] {
        Fulfilment.allCases.map { fulfilment in
            let opening = terms.opening.openingState(fulfilment, at: moment, in: terms.zone)
            let pause = terms.pauseUntil.flatMap { moment < $0 ? $0 : nil }
            let isOffered = terms[fulfilment].isOffered
            return OpeningStatus(
                fulfilment: fulfilment, isOffered: isOffered, isOpen: isOffered && opening.isOpen && pause == nil,
                closesAt: opening.until,
                opensAt: opening.opensAt, pausedUntil: pause, pauseReason: pause == nil ? nil : terms.pauseReason,
                conditions: isOffered ? conditions(for: fulfilment) : nil,
                needsPostcode: isOffered && terms.needsPostcode(fulfilment),
                validity: opening.validity.intersection(
                    TimeRange(around: moment, excluding: [terms.pauseUntil, terms.busyUntil].compactMap(\.self))))
        }
    }

    private func conditions(for fulfilment: Fulfilment) -> OrderConditions? {
        func minutes(_ area: DeliveryArea?) -> Int {
            terms.etaMinutes(fulfilment, at: moment, openOrders: 0, area: area)
        }
        let zero = Money.zero...Money.zero
        guard terms.needsPostcode(fulfilment) else {
            return OrderConditions(minutes: minutes(nil)...minutes(nil), minimum: zero, fee: zero)
        }
        guard let minutes = terms.areas.range(of: { [minutes($0)] }),
            let minimum = terms.areas.range(of: { [$0.minimumSubtotal] }),
            let fee = terms.areas.range(of: \.possibleFees)
        else { return nil }
        return OrderConditions(minutes: minutes, minimum: minimum, fee: fee)
    }
}
