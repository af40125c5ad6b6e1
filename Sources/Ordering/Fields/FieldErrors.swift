// Everything that is wrong with one checkout, told in one answer.
// Made by CheckoutForm.validated and Checkout.decide. Read next: CheckoutForm.swift.

/// At least one error, in the contract's order and without repeats: equal inputs give equal lists.
package struct FieldErrors: Error, Hashable, Sendable {
    /// Never empty; sorted by path, then by code.
    package let all: [FieldError]

    /// All of these errors, or nil when there is none.
    package init?(_ errors: [FieldError]) {
        guard !errors.isEmpty else { return nil }
        var sorted: [FieldError] = []
        sorted.reserveCapacity(errors.count)
        for error in errors.sorted(by: Self.precedes) where error != sorted.last { sorted.append(error) }
        all = sorted
    }

    /// What was wrong with a form so far, and this error.
    package init(_ errors: FieldErrors, _ error: FieldError) {
        self = FieldErrors(errors.all + [error]) ?? FieldErrors(error)
    }

    package init(_ error: FieldError) { all = [error] }

    private static func precedes(_ left: FieldError, _ right: FieldError) -> Bool {
        (left.path, left.code.rawValue) < (right.path, right.code.rawValue)
    }
}
