// What one connection needs to know, a pool's or one of its own. Read by Opening; Pool/PoolConfiguration.swift holds one.

/// Where the database is, what a session of it is like, and how long a connection waits for it.
package struct ConnectionConfiguration: Sendable {
    /// A libpq connection string or URI; several hosts, `target_session_attrs`, `sslmode` and the like are libpq's own. What it says wins over
    /// the time limits of this client that libpq keeps (`connect_timeout`, keepalives).
    package var url: String
    /// Set right after connecting, by name.
    package var sessionSettings: [String: String] = [:]
    /// How much longer than a statement may take the client waits for a sign of life before it gives the connection up: PostgreSQL's own word,
    /// that it has ended the statement, says for sure that nothing was done. Whoever waits is to know within half a second after the timeout.
    package var timeoutGrace: Duration = .milliseconds(300)
    /// libpq's `connect_timeout`, for each host; libpq knows whole seconds, and takes 1 for 2.
    package var connectTimeout: Duration = .seconds(3)
    /// A silent peer is asked for a sign of life after so long, three times, and is then given up.
    package var keepalive: Duration = .seconds(5)

    init(url: String) { self.url = url }
}
