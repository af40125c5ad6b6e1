// What one connection may cost. A part of WebConfiguration; read by HTTPConnections.

/// The limits of each connection; the defaults are those of a real shop.
package struct ConnectionLimits: Sendable {
    /// In what time a whole request must have arrived, first byte of its head to last of its body.
    package var requestDeadline: Duration = .seconds(10)
    /// The same for a file that staff send: ten megabytes over a line that takes 80 kilobytes a second.
    package var fileDeadline: Duration = .seconds(120)
    /// After what time a connection without a request, or with half a head, is closed.
    package var idleTimeout: Duration = .seconds(60)
    /// How many bytes the head of a request may have; ours need a tenth.
    package var maxHeaderBytes = 16 * 1024
    package var maxHeaders = 100
}
