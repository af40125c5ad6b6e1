// What a pool needs to know. Every number has a reason beside it. Made by the executable and by tests; used by PostgresPool.

/// Where the database is, and how long and how much a pool waits for it.
package struct PoolConfiguration: Sendable {
    /// A libpq connection string or URI; several hosts, `target_session_attrs`, `sslmode` and the like are libpq's own. What it says wins over
    /// the time limits of this client that libpq keeps (`connect_timeout`, keepalives).
    package var url: String
    /// How many connections are kept open. Each is a thread here and a process there; pipelining keeps a few of them busy.
    package var connections = 4
    /// Set on every connection right after connecting, by name.
    package var sessionSettings: [String: String] = [:]
    /// How long a statement waits for a connection before it fails as `unavailable`.
    package var waitForConnection: Duration = .seconds(2)
    /// PostgreSQL's `statement_timeout` for every statement.
    package var statementTimeout: Duration = .seconds(5)
    /// How much longer the client waits for a sign of life before it gives the connection up: PostgreSQL's own word, that it has ended the
    /// statement, says for sure that nothing was done. Whoever waits is to know within half a second after the timeout.
    package var timeoutGrace: Duration = .milliseconds(300)
    /// How many statements may wait unsent, in all.
    package var queueLimit = 4096
    /// libpq's `connect_timeout`, for each host; libpq knows whole seconds, and takes 1 for 2.
    package var connectTimeout: Duration = .seconds(3)
    /// A silent peer is asked for a sign of life after so long, three times, and is then given up.
    package var keepalive: Duration = .seconds(5)

    /// A pool for the database at `url`, with the defaults.
    package init(url: String) {
        self.url = url
    }
}

/// Whether a pool can serve.
package enum PoolHealth: Sendable, Hashable {
    /// At least one connection is open.
    case healthy
    /// No connection is open, and why; the text may go to the log and not to a guest.
    case unavailable(String)
}
