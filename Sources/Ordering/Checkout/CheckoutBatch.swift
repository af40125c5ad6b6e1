// Decides a batch of checkouts that share one snapshot of facts.

extension Checkout {
    /// Decides the drafts in order. The snapshot lacks the orders accepted earlier in the batch, so a draft that
    /// conflicts with one of them gets `retry`: same basket, limited coupon of the same guest, too little stock, or a
    /// full slot. Rejections and replays block no other draft.
    package static func decideAll(_ batch: [(CheckoutDraft, CheckoutFacts)]) -> [CheckoutDecision] {
        var baskets: Set<BasketID> = []
        var redemptions: Set<GuestLimitKey> = []
        var accepted: [OrderDraft] = []
        var reserved: [StockKey: Int64] = [:]
        var slots: [SlotKey: SlotUse] = [:]
        return batch.map { draft, facts in
            if baskets.contains(draft.basketID) { return .retry }
            let decision = decide(draft, facts)
            guard case .accept(let order) = decision else { return decision }
            let taken = order.coupon?.redemption.map(GuestLimitKey.all) ?? []
            guard redemptions.isDisjoint(with: taken) else { return .retry }
            if order.coupon?.redemption?.subject == .firstOrder,
                accepted.contains(where: { $0.details.isSameGuest(as: order.details) })
            {
                return .retry
            }
            let demand = order.stock.isEmpty ? [] : order.stock.all
            // Each accepted order fits the stock by itself, so the subtraction stays within the range of a stock count.
            guard
                demand.allSatisfy({
                    $0.units <= (facts.stock[$0.thing]?.remaining ?? 0) - reserved[$0.thing, default: 0]
                })
            else { return .retry }
            if let slot = order.slot {
                let reservedInSlot = slots[slot.key] ?? .none
                guard
                    facts.menu.terms[slot.key.fulfilment].hasCapacity(
                        for: slot.use.items, alongside: facts.slotOccupancy[slot.key] + reservedInSlot)
                else {
                    return .retry
                }
                slots[slot.key] = reservedInSlot + slot.use
            }
            for (thing, units) in demand { reserved[thing, default: 0] += units }
            accepted.append(order)
            baskets.insert(draft.basketID)
            redemptions.formUnion(taken)
            return decision
        }
    }
}

/// One use of a limited coupon by a guest in a period, for one of the guest's keys.
private struct GuestLimitKey: Hashable {
    let subject: CouponRedemption.Subject
    let period: Int
    let guestKey: String

    static func all(_ use: CouponRedemption) -> [GuestLimitKey] {
        use.guestKeys.map { GuestLimitKey(subject: use.subject, period: use.period, guestKey: $0) }
    }
}
