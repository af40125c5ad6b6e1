// The limits of one connection.

/// The limits of each connection, with defaults for production.
package struct ConnectionLimits: Sendable {
    /// The time for the head of a request, from its first byte on.
    package var requestDeadline: Duration = .seconds(10)
    /// The time in which a client must take `progressMinimum` bytes of a pending response, or send as many of an
    /// incomplete body. Otherwise the connection ends.
    package var progressWindow: Duration = .seconds(10)
    package var progressMinimum = 10 * 1024
    /// The time after which a connection without a request, or with an incomplete head, is closed.
    package var idleTimeout: Duration = .seconds(60)
    /// The maximum size of a request head. Typical heads have a tenth of it.
    package var maxHeaderBytes = 16 * 1024
    package var maxHeaders = 256

    /// The deadline and idle timeout of a reserved connection: a health check is sent right after connecting.
    package var healthCheckDeadline: Duration = .seconds(2)

    var forHealthCheck: ConnectionLimits {
        var limits = self
        limits.requestDeadline = min(requestDeadline, healthCheckDeadline)
        limits.idleTimeout = min(idleTimeout, healthCheckDeadline)
        return limits
    }
}
