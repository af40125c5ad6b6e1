// What is wrong with a query parameter. MenuQuery says so, Web answers 400 `invalid_parameter` with it.

/// A query parameter that can't be read.
package struct ParameterError: Error, Sendable, Hashable {
    /// The parameter's name: `limit`.
    package let name: String
    /// What would be right, for whoever writes the client.
    package let message: String

    /// An error of this parameter.
    package init(name: String, message: String) {
        (self.name, self.message) = (name, message)
    }
}
