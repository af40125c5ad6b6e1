// Statements that wait longer for locked rows. PostgreSQL serves the statements that wait for a row in their order, and
// a statement that tries again after each lock timeout may never get it.
import Postgres

/// Whether the writing statements of the current task wait longer for locked rows.
private enum LongerLockWait {
    @TaskLocal static var isActive = false
}

extension ShopDatabase {
    /// Runs `work`, and its writing statements wait for a locked row up to 0.3 of the statement timeout. Otherwise, and
    /// on Citus, they wait 100 ms.
    package static func waitingLonger<Value>(
        _ work: () async throws(DatabaseFault) -> Value
    ) async throws(DatabaseFault) -> Value {
        let result: Result<Value, DatabaseFault> = await LongerLockWait.$isActive.withValue(true) {
            do throws(DatabaseFault) { return .success(try await work()) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// The statement to send: this one, or the same with a longer lock timeout.
    func adjusted(_ statement: Statement, _ effect: Effect) -> Statement {
        guard effect == .writes, LongerLockWait.isActive, !isDistributed else { return statement }
        return statement.withLongerLockTimeout
    }
}

extension Statement {
    /// The same statement with a longer lock timeout for its transaction. PostgreSQL evaluates the first parameter
    /// before the statement locks a row.
    fileprivate var withLongerLockTimeout: Statement {
        let first = "(case when prolong_lock_wait() then $1 end)"
        return Statement("\(name)_waiting", sql.replacing("$1", with: first, maxReplacements: 1))
    }
}
