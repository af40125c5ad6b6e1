// The configuration of a pool.

/// The address of the database, and the limits of time and number of a pool.
package struct PoolConfiguration: Sendable {
    /// The configuration of every connection.
    package var connection: ConnectionConfiguration
    /// The number of connections. Each needs a thread here and a process in the server. A few suffice, because each
    /// connection pipelines many statements.
    package var connections = 4
    /// How long a statement waits for a connection before it fails as `unavailable`.
    package var waitForConnection: Duration = .seconds(2)
    /// PostgreSQL's `statement_timeout` for every statement.
    package var statementTimeout: Duration = .seconds(5)
    /// The maximum number of unsent statements of the whole pool.
    package var queueLimit = 4096

    /// The default configuration for a URL.
    package init(url: String) { connection = ConnectionConfiguration(url: url) }

    /// The maximum time until a statement has its result or its error.
    package var answerLimit: Duration { statementTimeout + connection.timeoutGrace }
}

/// Whether a pool can execute statements.
package enum PoolHealth: Sendable, Hashable {
    /// At least one connection is open.
    case healthy
    /// No connection is open. The reason may be logged, but not shown to guests.
    case unavailable(String)
}
