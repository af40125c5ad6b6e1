// The decision of a checkout: pure, from a draft and the facts of one snapshot; a key that comes again is found here. Called through
// CheckoutBatch.swift, draft by draft. The order of judgement is the contract's. Read next: JudgedBasket.swift, Quote.swift.

/// Checkout's rules.
package enum Checkout {
    /// What becomes of one draft.
    ///
    /// In this order: what the basket has become already; whether there is one; everything that is wrong with the form, the basket
    /// and the coupon, in one answer; the total and its currency; and only then what the guest has done before, for otherwise a stranger could ask.
    package static func decide(_ draft: CheckoutDraft, _ facts: CheckoutFacts) -> CheckoutDecision {
        if let placed = facts.placed {
            guard placed.key == draft.key else { return .reject(.basketAlreadyOrdered) }
            return placed.fingerprint == draft.fingerprint ? .replay : .reject(.idempotencyKeyReused)
        }
        guard let basket = facts.basket else { return .reject(.basketNotFound) }
        guard basket.state == .open else { return .reject(.basketAlreadyOrdered) }

        let judged = JudgedBasket(basket, draft.form, facts, openOrders: draft.openOrders)
        let refused = judged.errors + judged.missing
        let details: CheckoutDetails
        switch draft.validation {
        case .failure(let errors): return .reject(.validationFailed(errors.adding(refused)))
        case .success(let valid): details = valid
        }
        if let errors = FieldErrors(refused) { return .reject(.validationFailed(errors)) }

        let quote = judged.quote
        guard judged.isAsShown(to: details) else { return .reject(.priceChanged(judged.changes(since: details), quote)) }

        var redeemed: RedeemedCoupon?
        // A coupon is judged with a moment, so there is one.
        if let coupon = judged.coupon, let moment = facts.moment {
            switch coupon.judgePast(facts.past, guestKeys: details.guestKeys, today: moment.today) {
            case .failure(let error): return .reject(.validationFailed(FieldErrors(error)))
            case .success(let use): redeemed = RedeemedCoupon(id: coupon.id, key: coupon.key, version: coupon.version, use: use)
            }
        }
        return .accept(
            OrderDraft(
                id: basket.id, basketVersion: basket.version, key: draft.key, fingerprint: draft.fingerprint, details: details,
                quote: quote, coupon: redeemed, placedAt: facts.moment?.now, holds: judged.holds, minimumAge: judged.minimumAge,
                stock: judged.stock, slotItems: quote.wantedAt == nil ? nil : basket.units))
    }
}
