// Everything that is wrong with one checkout, told in one answer.
// Made by CheckoutForm.validated and Checkout.decide. Read next: CheckoutForm.swift.

/// At least one error, in the contract's order and without repeats: equal inputs give equal lists. What is wrong with one dish's options stays
/// in the order in which it was judged.
package struct FieldErrors: Error, Hashable, Sendable {
    /// Never empty; sorted by path.
    package let all: [FieldError]

    /// All of these errors, or nil when there is none.
    package init?(_ errors: [FieldError]) {
        guard !errors.isEmpty else { return nil }
        var told: Set<FieldError> = []
        all = errors.filter { told.insert($0).inserted }.sorted { $0.path.isBefore($1.path) }
    }

    /// What was wrong with a form so far, and this error.
    package init(_ errors: FieldErrors, _ error: FieldError) {
        self = FieldErrors(errors.all + [error]) ?? FieldErrors(error)
    }

    package init(_ error: FieldError) { all = [error] }
}
