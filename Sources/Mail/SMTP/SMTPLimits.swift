// How long a mail may take. Used by SMTPClient and SMTPTransfer.
import Glibc
import Synchronization

/// Limits of time of one mail.
package struct SMTPLimits: Sendable {
    package var connect = Duration.seconds(10)
    package var whole = Duration.seconds(60)

    package init() {}
}

/// When a conversation has to end though its time is not up, for the server goes down.
final class SMTPDeadline: Sendable {
    /// Nanoseconds of the monotonic clock.
    private let at = Atomic<Int64>(.max)

    var isOver: Bool { Self.now >= at.load(ordering: .relaxed) }

    /// So long from now on, if that is sooner than what was said before.
    func end(in duration: Duration) { at.min(Self.now + duration.milliseconds * 1_000_000, ordering: .relaxed) }

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

extension Duration {
    /// Cut to whole ones.
    var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
