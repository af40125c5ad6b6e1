// Decides a checkout. A pure function of a draft and the facts of one database snapshot.

/// The rules of the checkout.
package enum Checkout {
    /// Decides one draft. The checks run in the order of the API contract: replay, basket, all field errors together,
    /// total and currency, guest history. The history comes last, so that nobody can find out whether a stranger has
    /// ordered.
    package static func decide(_ draft: CheckoutDraft, _ facts: CheckoutFacts) -> CheckoutDecision {
        if let placed = facts.placed {
            guard placed.key == draft.key else { return .reject(.basketAlreadyOrdered) }
            return placed.fingerprint == draft.fingerprint ? .replay : .reject(.idempotencyKeyReused)
        }
        guard let basket = facts.basket else { return .reject(.basketNotFound) }
        guard basket.state == .open else { return .reject(.basketAlreadyOrdered) }

        let evaluation = JudgedBasket(basket, draft.form, facts, openOrders: draft.openOrders)
        let basketErrors = evaluation.errors + evaluation.missing
        let details: CheckoutDetails
        switch draft.validation {
        case .failure(let errors): return .reject(.validationFailed(errors.adding(basketErrors)))
        case .success(let valid): details = valid
        }
        if let errors = FieldErrors(basketErrors) { return .reject(.validationFailed(errors)) }

        let quote = evaluation.quote
        guard evaluation.isAsShown(to: details) else { return .reject(.priceChanged(evaluation.changes(since: details), quote)) }

        var redeemed: RedeemedCoupon?
        // A coupon is only accepted with a clock reading, so the second condition always holds.
        if let coupon = evaluation.coupon, let reading = facts.moment {
            switch coupon.judgePast(facts.past, guestKeys: details.guestKeys, today: reading.today) {
            case .failure(let error): return .reject(.validationFailed(FieldErrors(error)))
            case .success(let use): redeemed = RedeemedCoupon(id: coupon.id, key: coupon.key, version: coupon.version, use: use)
            }
        }
        return .accept(
            OrderDraft(
                id: basket.id, basketVersion: basket.version, key: draft.key, fingerprint: draft.fingerprint, details: details,
                quote: quote, coupon: redeemed, placedAt: facts.moment?.now, holds: evaluation.holds, minimumAge: evaluation.minimumAge,
                stock: evaluation.stock, slotItems: quote.wantedAt == nil ? nil : basket.units))
    }
}
