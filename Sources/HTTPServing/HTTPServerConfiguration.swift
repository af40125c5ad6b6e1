// The settings of one listening HTTP server, with defaults for production.

/// The address, the limits and the encryption of a server.
package struct HTTPServerConfiguration: Sendable {
    /// The product's name: the prefix of metrics, and a part of the types of problems.
    package var product: String
    package var host: String
    /// The port; 0 chooses any free port.
    package var port: Int
    /// The number of connections that wait to be accepted. While the backlog is full, the kernel drops new connections,
    /// and clients retry after 1 s and 3 s. 4,096 is also the kernel's limit.
    package var backlog = 4_096
    /// The limits of each connection.
    package var connection = ConnectionLimits()
    /// The maximum number of open connections. Connections beyond it can make health checks only. Each connection takes
    /// a file descriptor.
    package var maxConnections = 10_000
    /// The maximum number of connections per client address. Connections of trusted proxies are exempt.
    package var maxConnectionsPerClient = 2_000
    /// The number of additional connections for health checks, beyond these limits.
    package var reservedConnections = 64
    /// The maximum number of event streams per client address; behind a trusted proxy, per forwarded address.
    package var maxStreamsPerClient = 64
    /// The maximum number of concurrent requests. Further requests get 503 `overloaded`.
    package var maxInFlight = 4_096
    /// The proxies whose X-Forwarded-For is trusted.
    package var trustedProxies = TrustedProxies.none
    /// The TLS certificate; nil to serve plain http.
    package var certificate: ServerCertificate?
    /// Other origins whose pages may use the API; nil for none.
    package var crossOrigin: CrossOrigin?

    package init(product: String, host: String = "127.0.0.1", port: Int = 8080) {
        (self.product, self.host, self.port) = (product, host, port)
    }
}
