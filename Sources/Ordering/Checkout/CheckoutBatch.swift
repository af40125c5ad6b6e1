// A batch of checkouts decided together: checkouts that waited at the same moment share one snapshot of facts.
// Called by Shop's CheckoutQueue, which puts what is to be decided `again` back to the front. Read next: Checkout.swift.

extension Checkout {
    /// Decides a batch from left to right, each draft by its own facts, all read in one snapshot.
    ///
    /// The snapshot does not know what the batch itself does. So a draft is decided `again` if one accepted before it takes the same
    /// basket, or the same guest's (by either key) use of a coupon that is limited per guest; with a coupon for a first order, if one accepted
    /// before it is the same guest's; and if those before it leave too few of what it takes, or no place in its slot. Rejections and replays block
    /// nobody.
    package static func decideAll(_ batch: [(CheckoutDraft, CheckoutFacts)]) -> [CheckoutDecision] {
        var baskets: Set<BasketID> = []
        var uses: Set<GuestUse> = []
        var accepted: [OrderDraft] = []
        var sold: [StockedThing: Int64] = [:]
        var slots: [SlotKey: SlotUse] = [:]
        return batch.map { draft, facts in
            if baskets.contains(draft.basketID) { return .again }
            let decision = decide(draft, facts)
            guard case .accept(let order) = decision else { return decision }
            let taken = order.coupon?.use.map(GuestUse.all) ?? []
            guard uses.isDisjoint(with: taken) else { return .again }
            if order.coupon?.use?.subject == .firstOrder, accepted.contains(where: { $0.details.isSameGuest(as: order.details) }) {
                return .again
            }
            let demand = order.stock.isEmpty ? [] : order.stock.all
            // What one order takes is there, so neither is more than a count.
            guard demand.allSatisfy({ $0.units <= (facts.stock[$0.thing]?.left ?? 0) - sold[$0.thing, default: 0] }) else { return .again }
            if let slot = order.slot {
                let before = slots[slot.key] ?? .none
                guard facts.menu.terms[slot.key.fulfilment].hasPlace(for: slot.use.items, beside: facts.slots[slot.key] + before) else {
                    return .again
                }
                slots[slot.key] = before + slot.use
            }
            for (thing, units) in demand { sold[thing, default: 0] += units }
            accepted.append(order)
            baskets.insert(draft.basketID)
            uses.formUnion(taken)
            return decision
        }
    }
}

/// A guest's use of a coupon in a period, by one of the guest's keys.
private struct GuestUse: Hashable {
    let subject: CouponUse.Subject
    let period: Int
    let guestKey: String

    static func all(_ use: CouponUse) -> [GuestUse] {
        use.guestKeys.map { GuestUse(subject: use.subject, period: use.period, guestKey: $0) }
    }
}
