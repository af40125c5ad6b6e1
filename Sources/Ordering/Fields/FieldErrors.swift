// All field errors of one checkout.

/// At least one error, without duplicates, in the API's order: equal inputs give equal lists.
/// Errors of the options of one dish stay in the order of validation.
package struct FieldErrors: Error, Hashable, Sendable {
    /// Never empty; sorted by path.
    package let all: [FieldError]

    /// All of these errors, or nil if the list is empty.
    package init?(_ errors: [FieldError]) {
        guard !errors.isEmpty else { return nil }
        var seen: Set<FieldError> = []
        all = errors.filter { seen.insert($0).inserted }.sorted { $0.path.isBefore($1.path) }
    }

    /// The errors so far and another one.
    package init(_ errors: FieldErrors, _ error: FieldError) {
        self = FieldErrors(errors.all + [error]) ?? FieldErrors(error)
    }

    package init(_ error: FieldError) { all = [error] }
}
