// A clock whose time passes only by waiting, at once, and which remembers how long it was waited for.

import Synchronization

/// Waits take no time.
final class InstantClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Swift.Duration
        func advanced(by duration: Swift.Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Swift.Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let state = Mutex((now: Instant(offset: .zero), waits: [Swift.Duration]()))

    var now: Instant { state.withLock { $0.now } }
    let minimumResolution = Swift.Duration.nanoseconds(1)

    /// Every wait so far, in order.
    var waits: [Swift.Duration] { state.withLock { $0.waits } }

    func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
        try Task.checkCancellation()
        state.withLock {
            $0.waits.append($0.now.duration(to: deadline))
            $0.now = max($0.now, deadline)
        }
    }
}
