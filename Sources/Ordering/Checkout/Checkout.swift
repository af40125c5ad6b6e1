// Decides a checkout. A pure function of a draft and the facts of one database snapshot.

/// The rules of the checkout.
package enum Checkout {
    /// Decides one draft. The checks run in the order of the API contract: replay, basket, all field errors together,
    /// total and currency, guest history. The history comes last, so that a rejection does not reveal whether another
    /// person has ordered.
    package static func decide(_ draft: CheckoutDraft, _ facts: CheckoutFacts) -> CheckoutDecision {
        if let placed = facts.placedOrder {
            guard placed.key == draft.key else { return .reject(.basketAlreadyOrdered) }
            return placed.fingerprint == draft.fingerprint ? .replay : .reject(.idempotencyKeyReused)
        }
        guard let basket = facts.basket else { return .reject(.basketNotFound) }
        guard basket.state == .open else { return .reject(.basketAlreadyOrdered) }

        let evaluation = BasketEvaluation(basket, draft.form, facts, openOrders: draft.openOrders)
        let basketErrors = evaluation.errors + evaluation.missingFields
        let details: CheckoutDetails
        switch draft.validation {
        case .failure(let errors): return .reject(.validationFailed(errors.merging(basketErrors)))
        case .success(let valid): details = valid
        }
        if let errors = FieldErrors(basketErrors) { return .reject(.validationFailed(errors)) }

        let quote = evaluation.quote
        guard evaluation.matchesPrices(shownTo: details) else {
            return .reject(.priceChanged(evaluation.priceChanges(since: details), quote))
        }

        var redeemed: RedeemedCoupon?
        // A coupon is only accepted with a clock reading, so the second condition always holds.
        if let coupon = evaluation.coupon, let reading = facts.clockReading {
            switch coupon.redemption(after: facts.guestHistory, guestKeys: details.guestKeys, today: reading.today) {
            case .failure(let error): return .reject(.validationFailed(FieldErrors(error)))
            case .success(let use):
                redeemed = RedeemedCoupon(id: coupon.id, key: coupon.key, version: coupon.version, redemption: use)
            }
        }
        return .accept(
            OrderDraft(
                id: basket.id, basketVersion: basket.version, key: draft.key, fingerprint: draft.fingerprint,
                details: details,
                quote: quote, coupon: redeemed, placedAt: facts.clockReading?.now, validity: evaluation.validity,
                minimumAge: evaluation.minimumAge,
                stock: evaluation.stock, slotItems: quote.wantedAt == nil ? nil : basket.dishCount))
    }
}
