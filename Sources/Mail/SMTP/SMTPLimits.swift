// The time limits for sending a mail, and an earlier deadline for a shutdown.
import Glibc
import Synchronization

/// Time limits of one mail.
package struct SMTPLimits: Sendable {
    /// How long connecting may take.
    package var connect = Duration.seconds(10)
    /// How long the whole transfer may take.
    package var total = Duration.seconds(60)

    /// Makes the default limits.
    package init() {}
}

/// A deadline that ends a transfer early when the server shuts down.
final class SMTPDeadline: Sendable {
    /// Nanoseconds of the monotonic clock.
    private let nanoseconds = Atomic<Int64>(.max)

    var hasPassed: Bool { Self.now >= nanoseconds.load(ordering: .relaxed) }

    /// Sets the deadline to this duration from now, unless it is already earlier.
    func shorten(to duration: Duration) {
        nanoseconds.min(Self.now + duration.milliseconds * 1_000_000, ordering: .relaxed)
    }

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

extension Duration {
    /// Whole milliseconds, rounded towards zero.
    var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
