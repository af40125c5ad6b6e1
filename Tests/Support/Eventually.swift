// Polls a condition of the system under test, where no event tells a test that it became true.

/// The condition did not become true in time.
package struct ConditionTimeout: Error, CustomStringConvertible {
    /// The condition and its deadline.
    package let description: String
}

/// Polls the condition every 5 ms; throws ``ConditionTimeout`` after the deadline.
/// Statements that the condition runs with psql use sessions that stay open until the end.
package func eventually(
    _ what: String, within deadline: Duration = .seconds(30), _ condition: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + deadline
    try await SessionPool.$forPolling.withValue(SessionPool()) {
        while try await !condition() {
            guard .now < end else { throw ConditionTimeout(description: "not within \(deadline): \(what)") }
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
