// Validates an incomplete checkout form while the guest types, for POST /v1/checkout/validate. Does not use the guest
// history.

/// The result of validating an incomplete checkout form.
package struct CheckoutValidation: Sendable, Hashable {
    /// The given fields and the errors of basket and coupon, in the order of the API contract. Several errors of a
    /// dish's options may share a path.
    package let fields: [ValidatedField]
    /// Nil if the basket does not exist or is already ordered.
    package let quote: Quote?
    /// Whether a checkout with these fields would succeed, apart from the guest history.
    package let isReady: Bool

    /// A copy with one more error.
    package func adding(_ error: FieldError) -> CheckoutValidation {
        let others = fields.filter { $0.path != error.path }
        return CheckoutValidation(
            fields: (others + [ValidatedField(error.path, .failure(error))]).sorted { $0.path.isBefore($1.path) },
            quote: quote, isReady: false
        )
    }

    /// All errors.
    package var errors: [FieldError] {
        fields.compactMap { if case .failure(let error) = $0.result { error } else { nil } }
    }
}

extension Checkout {
    /// Validates the given fields. A missing field is not an error yet, but the form is not ready.
    package static func validate(_ form: CheckoutForm, _ facts: CheckoutFacts, openOrders: Int = 0)
        -> CheckoutValidation
    {
        let fields = form.validatedFields(defaultCountry: facts.menu.defaultCountry)
        guard let basket = facts.basket, basket.state == .open, facts.placedOrder == nil else {
            return CheckoutValidation(fields: fields, quote: nil, isReady: false)
        }
        let evaluation = BasketEvaluation(basket, form, facts, openOrders: openOrders)
        let rejected = FieldErrors(evaluation.errors)?.all ?? []
        let rejectedPaths = Set(rejected.map(\.path))
        let all =
            fields.filter { !rejectedPaths.contains($0.path) } + rejected.map { ValidatedField($0.path, .failure($0)) }
        var isReady = false
        if case .success(let details) = form.validated(defaultCountry: facts.menu.defaultCountry) {
            isReady = rejected.isEmpty && evaluation.missingFields.isEmpty && evaluation.matchesPrices(shownTo: details)
        }
        return CheckoutValidation(
            fields: all.sorted { $0.path.isBefore($1.path) }, quote: evaluation.quote, isReady: isReady)
    }
}
