// The configuration of one connection.

/// The address of the database, the settings of its sessions, and the client's time limits.
package struct ConnectionConfiguration: Sendable {
    /// A libpq connection string or URI, with several hosts, `target_session_attrs`, `sslmode` and so on. It overrides
    /// the time limits below that libpq implements (`connect_timeout`, keepalives).
    package var url: String
    /// Settings by name, set right after connecting.
    package var sessionSettings: [String: String] = [:]
    /// How long the client waits after the statement timeout for PostgreSQL's timeout error, the only proof that
    /// nothing was committed. Then it abandons the connection. Below 0.5 s, the time within which callers need their
    /// answer.
    package var timeoutGrace: Duration = .milliseconds(300)
    /// libpq's `connect_timeout` for each host. libpq uses whole seconds and at least 2.
    package var connectTimeout: Duration = .seconds(3)
    /// The interval of TCP keepalive probes. Three unanswered probes end the connection.
    package var keepalive: Duration = .seconds(5)

    init(url: String) { self.url = url }
}
