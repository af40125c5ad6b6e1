// The times that an order can be wanted for, as GET /v1/times shows them: what stands here the checkout accepts, and nothing else.
// Called by Shop for Web. Read next: SlotTimes.swift, JudgedTime.swift, DishesThen.swift.

/// A slot that can be wanted.
package struct OfferedSlot: Sendable, Hashable {
    package let startsAt, endsAt: Instant
    /// How many orders it takes more; nil: without end.
    package let left: Int64?

    package init(startsAt: Instant, endsAt: Instant, left: Int64?) { (self.startsAt, self.endsAt, self.left) = (startsAt, endsAt, left) }
}

/// That the shop is closed.
package struct ClosedShop: Sendable, Hashable {
    /// When it opens; nil where nobody knows.
    package let opensAt: Instant?

    package init(opensAt: Instant?) { self.opensAt = opensAt }
}

/// What can be wanted.
package struct OfferedTimes: Sendable, Hashable {
    /// When an order as soon as possible would be ready; nil: it can't be had so.
    package let readyAt: Instant?
    /// Those of one day, in their order.
    package let slots: [OfferedSlot]
    /// Nil: it is open now.
    package let closed: ClosedShop?

    package init(readyAt: Instant?, slots: [OfferedSlot], closed: ClosedShop?) {
        (self.readyAt, self.slots, self.closed) = (readyAt, slots, closed)
    }
}

extension Menu {
    /// What can be wanted at the menu's moment, by a menu without a look at what is left.
    /// - Parameters:
    ///   - postcode: where it goes to; nil where that is not known yet. Nothing can be wanted where it is not delivered to.
    ///   - day: on which the slots begin, by the shop's clocks; nil: today.
    ///   - basket: what is to be had then; nil: anything.
    ///   - stock: what is left of the basket's dishes, as `question` asks for it.
    ///   - openOrders: what the kitchen has to do.
    package func times(
        _ fulfilment: Fulfilment, to postcode: Postcode? = nil, on day: LocalDate? = nil, basket: Basket? = nil, taken: SlotsTaken = .none,
        stock: StockOfDays = .untracked, openOrders: Int = 0
    ) -> OfferedTimes {
        let area = terms.area(fulfilment, postcode)
        let times = SlotTimes(fulfilment, terms, at: moment, area: area)
        let isReached = fulfilment == .pickup || postcode == nil || area != nil || terms.areas.isEverywhere
        let items = basket?.units ?? 1
        let opening = terms.opening.opening(fulfilment, at: moment, in: terms.zone)
        var dishes = DishesByTime(basket, self, stock)
        let isTaken =
            isReached && times.own.isOffered && opening.isOpen && (terms.pauseUntil.map { $0 <= moment } ?? true)
            && dishes.areThere(at: moment)
        let eta = terms.etaMinutes(fulfilment, at: moment, openOrders: openOrders, area: area)
        let free = isReached ? times.free(on: day ?? times.today, for: items, taken: taken) : []
        return OfferedTimes(
            readyAt: isTaken ? moment.advanced(by: .seconds(60 * Int64(eta))) : nil,
            slots: free.filter { dishes.areThere(at: $0.startsAt) }.map {
                let left = times.own.ordersLeft(beside: taken[SlotKey(fulfilment, $0.startsAt)])
                return OfferedSlot(startsAt: $0.startsAt, endsAt: $0.endsAt, left: left)
            },
            closed: opening.isOpen ? nil : ClosedShop(opensAt: opening.opensAt))
    }
}

extension Basket {
    /// How many dishes it holds, those of sets too: what it takes of a slot.
    package var units: Int64 {
        let single = lines.reduce(Int64(0)) { $0 + Int64($1.quantity) }
        return sets.reduce(single) { $1.items.reduce($0) { $0 + Int64($1.quantity) } }
    }
}
