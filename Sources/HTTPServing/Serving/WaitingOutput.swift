// Measures whether a client takes the output that waits for it.
import NIOCore

/// Output that the kernel has not accepted yet.
final class WaitingOutput {
    let bytes: Int
    let acknowledged: UInt64?
    /// Whether the kernel has accepted all of these bytes since the check.
    var isFlushed = false

    init(bytes: Int, of channel: any Channel) {
        (self.bytes, acknowledged) = (bytes, WaitingOutput.acknowledgedBytes(channel))
    }

    /// Whether the client has taken at least `minimum` bytes since `before`, or all bytes that were pending then.
    func hasProgress(since before: WaitingOutput, of minimum: Int) -> Bool {
        if before.isFlushed || before.bytes - bytes >= minimum { return true }
        guard let acknowledged, let previous = before.acknowledged else { return false }
        return acknowledged >= previous + UInt64(minimum)
    }

    /// The bytes that the client has acknowledged since the connection began; nil if the kernel does not report it.
    ///
    /// The send buffer is a less precise measure. A buffer of megabytes accepts more bytes only when a third of it is
    /// free, which takes minutes with a slow reader.
    private static func acknowledgedBytes(_ channel: any Channel) -> UInt64? {
        guard let socket = channel as? any SocketOptionProvider else { return nil }
        var bytes: UInt64?
        let info: EventLoopFuture<TCPInfo> = socket.unsafeGetSocketOption(level: .tcp, name: .tcp_info)
        // On the connection's event loop the result is available immediately.
        info.assumeIsolated().whenSuccess { bytes = $0.acknowledgedBytes }
        return bytes
    }
}

/// The beginning of `struct tcp_info` of linux/tcp.h, up to `tcpi_bytes_acked`. glibc's struct of that name is
/// shorter.
private struct TCPInfo: Sendable {
    private typealias Words = (
        UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64,
        UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64
    )

    private let words: Words

    var acknowledgedBytes: UInt64 { words.15 }
}
