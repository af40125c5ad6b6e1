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
    /// The maximum of open connections; connections beyond it get health checks only. Each costs a file descriptor.
    package var maxConnections = 10_000
    /// The maximum of connections per client address. Connections of trusted proxies are exempt.
    package var maxConnectionsPerClient = 2_000
    /// The connections beyond these limits that are reserved for health checks, on each port.
    package var reservedConnections = 64
    /// The maximum of event streams per client address; behind a trusted proxy, per forwarded address.
    package var maxStreamsPerClient = 64
    /// The maximum of concurrent requests before new ones get 503 `overloaded`.
    package var maxInFlight = 4_096
    /// The interval of comments in event streams.
    package var heartbeat: Duration = .seconds(15)
    /// The interval in the staff's event streams: short, so that the page notices a lost connection within seconds.
    package var staffHeartbeat: Duration = .seconds(2)
    /// How long /readyz fails before a shutdown refuses connections; zero if nothing polls /readyz.
    package var drainNotice: Duration = .zero
    /// The manager token; nil if only members' tokens are accepted.
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
