// The times that guests can choose, as GET /v1/times lists them. The checkout accepts exactly these.

/// A slot that guests can choose.
package struct OfferedSlot: Sendable, Hashable {
    package let startsAt, endsAt: Instant
    /// The number of further orders that the slot accepts; nil: unlimited.
    package let remainingOrders: Int64?

    package init(startsAt: Instant, endsAt: Instant, remainingOrders: Int64?) {
        (self.startsAt, self.endsAt, self.remainingOrders) = (startsAt, endsAt, remainingOrders)
    }
}

/// The shop is closed.
package struct ClosedShop: Sendable, Hashable {
    /// When the shop opens; nil if that is unknown.
    package let opensAt: Instant?

    package init(opensAt: Instant?) { self.opensAt = opensAt }
}

/// The times that guests can choose.
package struct OfferedTimes: Sendable, Hashable {
    /// When an order as soon as possible would be ready; nil if it is not possible.
    package let readyAt: Instant?
    /// The slots of one day in ascending order.
    package let slots: [OfferedSlot]
    /// Nil: the shop is open now.
    package let closed: ClosedShop?

    package init(readyAt: Instant?, slots: [OfferedSlot], closed: ClosedShop?) {
        (self.readyAt, self.slots, self.closed) = (readyAt, slots, closed)
    }
}

extension Menu {
    /// The times that guests can choose at the menu's time. The menu must not contain stock counts.
    /// - Parameters:
    ///   - postcode: the destination; nil if it is unknown. Outside the delivery areas, no time is offered.
    ///   - day: the date on which the slots begin, in local time; nil: today.
    ///   - basket: the dishes that must be available; nil: any.
    ///   - stock: the stock of the basket's dishes, loaded by `stockQuery`.
    ///   - openOrders: the number of open orders in the kitchen.
    package func offeredTimes(
        _ fulfilment: Fulfilment, to postcode: Postcode? = nil, on day: LocalDate? = nil, basket: Basket? = nil,
        occupancy: SlotOccupancy = .none,
        stock: DailyStock = .untracked, openOrders: Int = 0
    ) -> OfferedTimes {
        let area = terms.area(fulfilment, postcode)
        let times = SlotSchedule(fulfilment, terms, at: moment, area: area)
        let isDeliverable = fulfilment == .pickup || postcode == nil || area != nil || terms.areas.deliversEverywhere
        let items = basket?.dishCount ?? 1
        let opening = terms.opening.openingState(fulfilment, at: moment, in: terms.zone)
        var availability = BasketAvailabilityCache(basket, self, stock)
        let isPossibleNow =
            isDeliverable && times.fulfilmentTerms.isOffered && opening.isOpen
            && (terms.pauseUntil.map { $0 <= moment } ?? true)
            && availability.isAvailable(at: moment)
        let eta = terms.etaMinutes(fulfilment, at: moment, openOrders: openOrders, area: area)
        let free = isDeliverable ? times.freeSlots(on: day ?? times.today, for: items, occupancy: occupancy) : []
        return OfferedTimes(
            readyAt: isPossibleNow ? moment.advanced(by: .seconds(60 * Int64(eta))) : nil,
            slots: free.filter { availability.isAvailable(at: $0.startsAt) }.map {
                let left = times.fulfilmentTerms.remainingOrders(alongside: occupancy[SlotKey(fulfilment, $0.startsAt)])
                return OfferedSlot(startsAt: $0.startsAt, endsAt: $0.endsAt, remainingOrders: left)
            },
            closed: opening.isOpen ? nil : ClosedShop(opensAt: opening.opensAt))
    }
}

extension Basket {
    /// The number of dishes, including those of sets, that count towards a slot.
    package var dishCount: Int64 {
        let lineUnits = lines.reduce(Int64(0)) { $0 + Int64($1.quantity) }
        return sets.reduce(lineUnits) { $1.items.reduce($0) { $0 + Int64($1.quantity) } }
    }
}
