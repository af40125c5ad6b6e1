// Live validation: each given field is validated on its own while the guest types.

/// A field of the form with its normalised value or its error.
package struct ValidatedField: Hashable, Sendable {
    /// The field.
    package let path: FieldPath
    /// The normalised value; tip and expected total as integers, all others as text.
    package let result: Result<FieldParameter, FieldError>

    package init(_ path: FieldPath, _ result: Result<FieldParameter, FieldError>) {
        (self.path, self.result) = (path, result)
    }

    package init(_ field: FormField, _ result: Result<FieldParameter, FieldError>) { self.init(.form(field), result) }
}
