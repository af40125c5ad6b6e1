// The settings of the shop's HTTP server.
import HTTPServing

/// The server's settings, with defaults for production.
package struct WebConfiguration: Sendable {
    /// The listener for guests and staff.
    package var server: HTTPServerConfiguration
    /// A separate port for /metrics and health checks; 0 chooses any free port. Nil: the main port serves /metrics to
    /// clients on this machine.
    package var operationsPort: Int?
    /// The interval of heartbeat comments in event streams.
    package var heartbeat: Duration = .seconds(15)
    /// The heartbeat interval of staff event streams: short, so that the page notices a lost connection within seconds.
    package var staffHeartbeat: Duration = .seconds(2)
    /// How long /readyz returns 503 at a shutdown before the server refuses new connections. Zero if nothing polls
    /// /readyz.
    package var drainNotice: Duration = .zero
    /// The token of the settings, which has the role of a manager. Nil if only members' tokens are accepted.
    package var staffToken: StaffToken?
    /// The rate limits per client.
    package var rateLimits = RateLimits()
    /// The program version that GET /livez reports.
    package var version = ProgramVersion()

    package init(host: String = "127.0.0.1", port: Int = 8080) {
        server = HTTPServerConfiguration(product: "welms", host: host, port: port)
    }
}
