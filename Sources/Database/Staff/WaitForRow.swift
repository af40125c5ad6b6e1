// Lets one tap of the staff wait for a row that somebody holds, and the others pass: they share a connection. Used by SetAvailability.swift
// and, for the steps of orders, by Replicas/ReadOrders.swift.
import Postgres

extension Shop {
    /// For how long a statement of the staff's connection waits for a row, which is as long as it keeps the other taps waiting; then they
    /// have their turn before it tries again.
    static let staffLockTimeout = "100ms"
    /// For how long it tries again.
    private static let staffPatience = Duration.seconds(3)

    /// Does `work` on the staff's connection, again and again while a row that it needs is held by somebody else; nil where it still is.
    func waitingForRow<Value: Sendable>(
        _ work: () async throws(PostgresError) -> Value
    ) async throws(PostgresError) -> Value? {
        let end = ContinuousClock.now + Self.staffPatience
        repeat {
            do {
                return try await work()
            } catch {
                guard error.isHeldRow else { throw error }
            }
            do { try await Task.sleep(for: .milliseconds(100)) } catch { throw .cancelled(mayHaveCommitted: false) }
        } while .now < end
        return nil
    }
}
