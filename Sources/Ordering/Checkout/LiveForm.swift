// Validates an incomplete checkout form while the guest types, for POST /v1/checkout/validate. Does not use the guest
// history.

/// The result of validating an incomplete checkout form.
package struct LiveForm: Sendable, Hashable {
    /// The given fields and the errors of basket and coupon, in the order of the API contract. Several errors of a
    /// dish's options may share a path.
    package let fields: [JudgedField]
    /// Nil if the basket does not exist or is already ordered.
    package let quote: Quote?
    /// Whether a checkout with these fields would succeed, apart from the guest history.
    package let isReady: Bool

    /// A copy with one more error.
    package func refused(_ error: FieldError) -> LiveForm {
        let others = fields.filter { $0.path != error.path }
        return LiveForm(
            fields: (others + [JudgedField(error.path, .failure(error))]).sorted { $0.path.isBefore($1.path) }, quote: quote, isReady: false
        )
    }

    /// All errors.
    package var errors: [FieldError] {
        fields.compactMap { if case .failure(let error) = $0.result { error } else { nil } }
    }
}

extension Checkout {
    /// Validates the given fields. A missing field is not an error yet, but the form is not ready.
    package static func validate(_ form: CheckoutForm, _ facts: CheckoutFacts, openOrders: Int = 0) -> LiveForm {
        let fields = form.judgedFields(defaultCountry: facts.menu.defaultCountry)
        guard let basket = facts.basket, basket.state == .open, facts.placed == nil else {
            return LiveForm(fields: fields, quote: nil, isReady: false)
        }
        let evaluation = JudgedBasket(basket, form, facts, openOrders: openOrders)
        let rejected = FieldErrors(evaluation.errors)?.all ?? []
        let rejectedPaths = Set(rejected.map(\.path))
        let all = fields.filter { !rejectedPaths.contains($0.path) } + rejected.map { JudgedField($0.path, .failure($0)) }
        var isReady = false
        if case .success(let details) = form.validated(defaultCountry: facts.menu.defaultCountry) {
            isReady = rejected.isEmpty && evaluation.missing.isEmpty && evaluation.isAsShown(to: details)
        }
        return LiveForm(fields: all.sorted { $0.path.isBefore($1.path) }, quote: evaluation.quote, isReady: isReady)
    }
}
