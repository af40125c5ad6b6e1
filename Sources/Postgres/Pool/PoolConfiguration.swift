// What a pool needs to know. Every number has a reason beside it. Made by the executable and by tests; used by PostgresPool.
// Read next: Connection/ConnectionConfiguration.swift.

/// Where the database is, and how long and how much a pool waits for it.
package struct PoolConfiguration: Sendable {
    /// The same for every connection.
    package var connection: ConnectionConfiguration
    /// How many connections are kept open. Each is a thread here and a process there; pipelining keeps a few of them busy.
    package var connections = 4
    /// How long a statement waits for a connection before it fails as `unavailable`.
    package var waitForConnection: Duration = .seconds(2)
    /// PostgreSQL's `statement_timeout` for every statement.
    package var statementTimeout: Duration = .seconds(5)
    /// How many statements may wait unsent, in all.
    package var queueLimit = 4096

    package init(url: String) { connection = ConnectionConfiguration(url: url) }

    /// How long a statement may take until its answer, or its failure, is there.
    package var answerLimit: Duration { statementTimeout + connection.timeoutGrace }
}

/// Whether a pool can serve.
package enum PoolHealth: Sendable, Hashable {
    /// At least one connection is open.
    case healthy
    /// No connection is open, and why; the text may go to the log and not to a guest.
    case unavailable(String)
}
