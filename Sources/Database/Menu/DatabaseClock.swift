// The database's clock, extrapolated with this machine's clock while the database is unavailable.
import Ordering

/// A time of the database's clock, and when it was read by this machine's clock.
package struct DatabaseClock: Sendable {
    /// The time of the database.
    package let databaseTime: Instant
    /// When this process received it, at most some milliseconds later.
    package let readAt = ContinuousClock.now

    /// The current time of the database.
    package var now: Instant { databaseTime.advanced(by: ContinuousClock.now - readAt) }
}
