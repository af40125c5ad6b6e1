/// An error that an operator can correct: one line that says what to do. The program ends with status 1.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
