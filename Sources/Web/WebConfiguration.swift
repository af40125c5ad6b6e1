// How the server listens and what it bounds. Filled by the program from its command line; tests shorten the times.
// Read next: Application.swift.

/// The server's settings; the defaults are those of a real shop.
package struct WebConfiguration: Sendable {
    package var host: String
    /// The port; 0 takes any free one.
    package var port: Int
    /// Where /metrics is answered, with the health checks, and nothing else; 0 takes any free port. Nil: it is answered on `port`, to those on
    /// this machine.
    package var operationsPort: Int?
    /// What one connection may cost.
    package var connection = ConnectionLimits()
    /// How many connections are open at one time; those beyond get health checks only. Each costs a file descriptor.
    package var maxConnections = 10_000
    /// How many of them one client address may have. Connections of trusted proxies are exempt.
    package var maxConnectionsPerClient = 2_000
    /// How many connections beyond these limits are kept for health checks, on each port.
    package var reservedConnections = 64
    /// How many event streams a client address may have, behind a trusted proxy the forwarded address.
    package var maxStreamsPerClient = 64
    /// How many requests are answered at one time before new ones get 503 `overloaded`.
    package var maxInFlight = 4_096
    /// How often an event stream sends a comment.
    package var heartbeat: Duration = .seconds(15)
    /// The same of the staff's stream of orders, so that their page knows within seconds that it is not live: see Storefront/staff/orders.js.
    package var staffHeartbeat: Duration = .seconds(2)
    /// How long, once it is to end, /readyz says so before connections are refused; none: nobody asks /readyz.
    package var drainNotice: Duration = .zero
    /// What staff show to be let in; nil: the staff's routes are closed.
    package var staffToken: StaffToken?

    /// What the server shows to speak https; nil: it speaks http.
    package var certificate: ServerCertificate?
    /// How often a client may do what costs something.
    package var rateLimits = RateLimits()
    /// Whose pages may use the API beside our own; nil: nobody's.
    package var crossOrigin: CrossOrigin?
    /// Which program it is, as GET /livez says.
    package var version = ProgramVersion()

    package init(host: String = "127.0.0.1", port: Int = 8080) { (self.host, self.port) = (host, port) }
}
