// A clock that advances at once when something sleeps, and records the sleeps.

import Synchronization

/// A clock whose sleeps take no real time.
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

    /// The durations of all sleeps so far, in order.
    var sleeps: [Swift.Duration] { state.withLock { $0.waits } }

    func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
        try Task.checkCancellation()
        state.withLock {
            $0.waits.append($0.now.duration(to: deadline))
            $0.now = max($0.now, deadline)
        }
    }
}
