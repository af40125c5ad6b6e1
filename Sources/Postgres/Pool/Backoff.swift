// How long to wait before the next try to connect. Used by PostgresPool. Shop's Announcements, which knows no Postgres,
// EmbeddedPostgres, which may use nothing of ours, and StorefrontClient, which knows the server by its contract only, wait by rules of their own.

/// Delays that double from 50 ms to 1 s, each cut by a random part of up to a half, so that connections don't come back all at once.
/// With 1 s at most, service is back well within 3 s after the database is.
struct Backoff {
    private var delay = Duration.milliseconds(50)

    mutating func next() -> Duration {
        defer { delay = min(delay * 2, .seconds(1)) }
        return delay * Double.random(in: 0.5...1)
    }
}
