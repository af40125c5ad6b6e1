// How long to wait before the next try to connect. Used by PostgresPool.

/// Delays that double from 50 ms to 1 s, each cut by a random part of up to a half, so that connections don't come back all at once.
/// With 1 s at most, service is back well within 3 s after the database is.
struct Backoff {
    private static let first = Duration.milliseconds(50)
    private static let longest = Duration.seconds(1)

    private var delay = Backoff.first

    /// The next delay.
    mutating func next(using generator: inout some RandomNumberGenerator) -> Duration {
        defer { delay = min(delay * 2, Self.longest) }
        return delay * Double.random(in: 0.5...1, using: &generator)
    }

    /// The next delay is the shortest again.
    mutating func reset() {
        delay = Self.first
    }
}
