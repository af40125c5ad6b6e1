// Statements that wait longer for locked rows. PostgreSQL serves the statements that wait for a row in their order, and
// a statement that tries again after each lock timeout may never get it.
import Postgres

extension ShopDatabase {
    /// The same database, where placements and steps of orders wait for a locked row up to 0.3 of the statement
    /// timeout, not 100 ms. On Citus it makes no difference.
    package var waitingLonger: ShopDatabase {
        var copy = self
        copy.waitsLonger = !isDistributed
        return copy
    }

    /// The statement to send: `statement`, or its form with the longer lock timeout.
    /// - Parameter statement: It calls one function, with its first parameter.
    func adjusted(_ statement: Statement) -> Statement { waitsLonger ? statement.withLongerLockTimeout : statement }
}

extension Statement {
    /// The same statement with a longer lock timeout for its transaction (sql/032_lock_waits.sql). PostgreSQL evaluates
    /// the first parameter before the function locks a row.
    fileprivate var withLongerLockTimeout: Statement {
        let first = "(case when prolong_lock_wait() then $1 end)"
        return Statement("\(name)_waiting", sql.replacing("$1", with: first, maxReplacements: 1))
    }
}
