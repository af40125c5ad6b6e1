// The live form: any subset of the fields judged as the guest types, with a quote. Web answers POST /v1/checkout/validate with it.
// It reads everything a checkout does but for the guest's past.

/// What a checkout would say now, as far as it can be told.
package struct LiveForm: Sendable, Hashable {
    /// The given fields, the coupon judged with the basket, and what is wrong with the basket, in the contract's order. Of a dish's options several
    /// things may be wrong at one path.
    package let fields: [JudgedField]
    /// Nil where there is no basket, or where it has been ordered.
    package let quote: Quote?
    /// Whether a checkout with these fields would be placed, the guest's past apart.
    package let isReady: Bool

    /// The same form with one more thing wrong.
    package func refused(_ error: FieldError) -> LiveForm {
        let others = fields.filter { $0.path != error.path }
        return LiveForm(
            fields: (others + [JudgedField(error.path, .failure(error))]).sorted { $0.path.isBefore($1.path) }, quote: quote, isReady: false
        )
    }

    /// What is wrong.
    package var errors: [FieldError] {
        fields.compactMap { if case .failure(let error) = $0.result { error } else { nil } }
    }
}

extension Checkout {
    /// Judges what has been given so far. A field that is missing is not an error yet, but then the form is not ready.
    package static func validate(_ form: CheckoutForm, _ facts: CheckoutFacts, openOrders: Int = 0) -> LiveForm {
        let fields = form.judgedFields(defaultCountry: facts.menu.defaultCountry)
        guard let basket = facts.basket, basket.state == .open, facts.placed == nil else {
            return LiveForm(fields: fields, quote: nil, isReady: false)
        }
        let judged = JudgedBasket(basket, form, facts, openOrders: openOrders)
        let refused = FieldErrors(judged.errors)?.all ?? []
        let refusedPaths = Set(refused.map(\.path))
        let all = fields.filter { !refusedPaths.contains($0.path) } + refused.map { JudgedField($0.path, .failure($0)) }
        var isReady = false
        if case .success(let details) = form.validated(defaultCountry: facts.menu.defaultCountry) {
            isReady = refused.isEmpty && judged.missing.isEmpty && judged.isAsShown(to: details)
        }
        return LiveForm(fields: all.sorted { $0.path.isBefore($1.path) }, quote: judged.quote, isReady: isReady)
    }
}
