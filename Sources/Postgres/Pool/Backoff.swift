// The delays between attempts to connect. Shop, EmbeddedPostgres and StorefrontClient may not depend on this target and
// have their own.

/// Delays that double from 50 ms to 1 s. Each is shortened randomly by up to a half, so that connections do not
/// reconnect simultaneously. The limit of 1 s keeps the recovery within 3 s after the database is back.
struct Backoff {
    private var delay = Duration.milliseconds(50)

    mutating func next() -> Duration {
        defer { delay = min(delay * 2, .seconds(1)) }
        return delay * Double.random(in: 0.5...1)
    }
}
