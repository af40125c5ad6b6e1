// Waits for what has to become true in the system under test, by asking it, and fails when it takes too long.
// Used where nothing tells a test that the moment has come.

/// It did not become true in time.
package struct DidNotHappen: Error, CustomStringConvertible {
    /// What was waited for.
    package let description: String
}

/// Asks again and again, a few milliseconds apart, until the condition holds; throws ``DidNotHappen`` after the deadline.
/// Statements that the condition runs with psql use sessions that stay open until the end.
package func eventually(
    _ what: String, within deadline: Duration = .seconds(30), _ condition: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + deadline
    try await OpenSessions.$ofPoll.withValue(OpenSessions()) {
        while try await !condition() {
            guard .now < end else { throw DidNotHappen(description: "not within \(deadline): \(what)") }
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
