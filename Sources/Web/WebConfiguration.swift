// The settings of the HTTP server.

/// The server's settings, with defaults for production.
package struct WebConfiguration: Sendable {
    package var host: String
    /// The port; 0 chooses any free port.
    package var port: Int
    /// A separate port for /metrics and health checks; 0 chooses any free port. Nil: `port` serves /metrics to
    /// clients on this machine.
    package var operationsPort: Int?
    /// The limits of each connection.
    package var connection = ConnectionLimits()
    /// The maximum number of open connections. Connections beyond it can make health checks only. Each connection takes
    /// a file descriptor.
    package var maxConnections = 10_000
    /// The maximum number of connections per client address. Connections of trusted proxies are exempt.
    package var maxConnectionsPerClient = 2_000
    /// The number of additional connections for health checks, beyond these limits, on each port.
    package var reservedConnections = 64
    /// The maximum number of event streams per client address; behind a trusted proxy, per forwarded address.
    package var maxStreamsPerClient = 64
    /// The maximum number of concurrent requests. Further requests get 503 `overloaded`.
    package var maxInFlight = 4_096
    /// The interval of heartbeat comments in event streams.
    package var heartbeat: Duration = .seconds(15)
    /// The heartbeat interval of staff event streams: short, so that the page notices a lost connection within seconds.
    package var staffHeartbeat: Duration = .seconds(2)
    /// How long /readyz returns 503 at a shutdown before the server refuses new connections. Zero if nothing polls
    /// /readyz.
    package var drainNotice: Duration = .zero
    /// The token of the settings, which has the role of a manager. Nil if only members' tokens are accepted.
    package var staffToken: StaffToken?

    /// The TLS certificate; nil to serve plain http.
    package var certificate: ServerCertificate?
    /// The rate limits per client.
    package var rateLimits = RateLimits()
    /// Other origins whose pages may use the API; nil for none.
    package var crossOrigin: CrossOrigin?
    /// The program version that GET /livez reports.
    package var version = ProgramVersion()

    package init(host: String = "127.0.0.1", port: Int = 8080) { (self.host, self.port) = (host, port) }
}
