// Whether the shop takes orders now, for each way of getting them: what the home screen says. Menu's revision and moment make it another.
// Shown by Web. Read next: Hours/OpeningHours.swift.

/// One way, now.
package struct ShopDoor: Sendable, Hashable {
    package let fulfilment: Fulfilment
    package let isOffered: Bool
    /// Whether an order as soon as possible is taken.
    package let isOpen: Bool
    /// When it closes; nil where it is closed, or no end is in sight.
    package let until: Instant?
    /// When it opens by the hours; nil where it is open, or nobody knows.
    package let opensAt: Instant?
    /// Until when nothing is taken; nil: there is no pause.
    package let pausedUntil: Instant?
    /// Why, in staff's words.
    package let pauseReason: String?
    /// What it takes; nil where the shop does not do it, or delivers nowhere.
    package let takes: DoorTerms?
    /// Whether it takes a postcode.
    package let needsPostcode: Bool
    /// For how long this is so.
    let holds: TimeSpan
}

/// What an order takes that is wanted now, from where that is least to where it is most.
package struct DoorTerms: Sendable, Hashable {
    /// Until it is there, while the kitchen is idle.
    package let minutes: ClosedRange<Int>
    /// What the items have to come to, before coupons.
    package let minimum: ClosedRange<Money>
    /// What bringing it costs, whatever it comes to.
    package let fee: ClosedRange<Money>
}

extension Menu {
    /// All ways, in their order.
    package var doors: [ShopDoor] {
        Fulfilment.allCases.map { fulfilment in
            let opening = terms.opening.opening(fulfilment, at: moment, in: terms.zone)
            let pause = terms.pauseUntil.flatMap { moment < $0 ? $0 : nil }
            let isOffered = terms[fulfilment].isOffered
            return ShopDoor(
                fulfilment: fulfilment, isOffered: isOffered, isOpen: isOffered && opening.isOpen && pause == nil, until: opening.until,
                opensAt: opening.opensAt, pausedUntil: pause, pauseReason: pause == nil ? nil : terms.pauseReason,
                takes: isOffered ? takes(fulfilment) : nil, needsPostcode: isOffered && terms.needsPostcode(fulfilment),
                holds: opening.holds.overlap(TimeSpan(around: moment, without: [terms.pauseUntil, terms.busyUntil].compactMap(\.self))))
        }
    }

    private func takes(_ fulfilment: Fulfilment) -> DoorTerms? {
        func minutes(_ area: DeliveryArea?) -> Int { terms.etaMinutes(fulfilment, at: moment, openOrders: 0, area: area) }
        let zero = Money.zero...Money.zero
        guard terms.needsPostcode(fulfilment) else {
            return DoorTerms(minutes: minutes(nil)...minutes(nil), minimum: zero, fee: zero)
        }
        guard let minutes = terms.areas.spread({ [minutes($0)] }), let minimum = terms.areas.spread({ [$0.minimumSubtotal] }),
            let fee = terms.areas.spread(\.possibleFees)
        else { return nil }
        return DoorTerms(minutes: minutes, minimum: minimum, fee: fee)
    }
}
