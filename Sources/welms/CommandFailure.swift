// How a command fails where an operator has to mend something. Thrown by every command and by what reads its settings.

/// What an operator has to mend: one line that says what to do. The program ends with status 1.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
