// Exponential pauses between attempts with full jitter, so that many clients of a failed server do not retry at once
// (https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/).

/// The pauses between attempts.
public struct RetryBackoff: Sendable {
    /// The maximum of the first pause. It doubles with each attempt.
    public var base: Duration
    /// The maximum of all pauses.
    public var cap: Duration
    /// Returns a duration between zero and its argument.
    public var jitter: @Sendable (Duration) -> Duration

    /// Creates pauses of up to 200 ms, 400 ms, 800 ms, …, and 5 s at most.
    public init(
        base: Duration = .milliseconds(200), cap: Duration = .seconds(5),
        jitter: @escaping @Sendable (Duration) -> Duration = Self.fullJitter
    ) {
        (self.base, self.cap, self.jitter) = (base, cap, jitter)
    }

    /// A uniform jitter from the system's random numbers.
    public static let fullJitter: @Sendable (Duration) -> Duration = { limit in
        let (seconds, attoseconds) = limit.components
        guard seconds < 1 << 32, limit > .zero else { return .zero }
        return .nanoseconds(Int64.random(in: 0...(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)))
    }

    /// Returns the pause after this number of failed attempts, from 1. It is never shorter than `retryAfter`.
    func pause(afterFailures count: Int, retryAfter: Duration? = nil) -> Duration {
        // Doubles at most 16 times, so that nothing overflows. The cap is reached long before.
        let limit = base * (1 << min(max(count - 1, 0), 16))
        return (retryAfter ?? .zero) + jitter(min(limit, cap))
    }
}
