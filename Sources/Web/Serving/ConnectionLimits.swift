// What one connection may cost. A part of WebConfiguration; read by HTTPConnections.

/// The limits of each connection; the defaults are those of a real shop.
package struct ConnectionLimits: Sendable {
    /// In what time the head of a request must have arrived, from its first byte on.
    package var requestDeadline: Duration = .seconds(10)
    /// A connection ends if its client takes or sends fewer than `progressMinimum` bytes within this time, while an
    /// answer waits to be taken or a body is incomplete.
    package var progressWindow: Duration = .seconds(10)
    package var progressMinimum = 10 * 1024
    /// After what time a connection without a request, or with half a head, is closed.
    package var idleTimeout: Duration = .seconds(60)
    /// How many bytes the head of a request may have; ours need a tenth.
    package var maxHeaderBytes = 16 * 1024
    package var maxHeaders = 256

    /// The deadline and the idle timeout of a connection in the reserve: a health check is sent as soon as it connects.
    package var healthCheckDeadline: Duration = .seconds(2)

    var forHealthCheck: ConnectionLimits {
        var limits = self
        limits.requestDeadline = min(requestDeadline, healthCheckDeadline)
        limits.idleTimeout = min(idleTimeout, healthCheckDeadline)
        return limits
    }
}
