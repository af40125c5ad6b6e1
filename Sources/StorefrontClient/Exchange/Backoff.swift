// The pauses between attempts: exponential, and anywhere between nothing and that, so that a thousand storefronts which lost the same server do not
// come back at once (https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/, "full jitter"). Asked by Exchange and the streams.

/// How long to wait before the next attempt.
public struct Backoff: Sendable {
    /// The longest first pause; it doubles with each attempt.
    public var base: Duration
    /// No pause is longer.
    public var cap: Duration
    /// A duration somewhere between zero and this one.
    public var jitter: @Sendable (Duration) -> Duration

    /// Pauses up to 200 ms, 400 ms, 800 ms, … and 5 s at most.
    public init(
        base: Duration = .milliseconds(200), cap: Duration = .seconds(5), jitter: @escaping @Sendable (Duration) -> Duration = Self.random
    ) {
        (self.base, self.cap, self.jitter) = (base, cap, jitter)
    }

    /// Even chances, by the system's random numbers.
    public static let random: @Sendable (Duration) -> Duration = { limit in
        let (seconds, attoseconds) = limit.components
        guard seconds < 1 << 32, limit > .zero else { return .zero }
        return .nanoseconds(Int64.random(in: 0...(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)))
    }

    /// The pause after so many failed attempts (from 1), and never before the server wants to be asked again.
    func pause(afterFailures count: Int, retryAfter: Duration? = nil) -> Duration {
        // Doubled at most 16 times: the cap is long reached, and nothing overflows.
        let limit = base * (1 << min(max(count - 1, 0), 16))
        return (retryAfter ?? .zero) + jitter(min(limit, cap))
    }
}
