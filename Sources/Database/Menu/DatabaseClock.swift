// The database's clock, which goes on by this machine's while the database is away. Made where the menu or its revision is read; kept by Shop's
// CurrentMenu.
import Ordering

/// What the database's clock showed, and when by this machine's: neither says anything without the other.
package struct DatabaseClock: Sendable {
    /// What it showed.
    package let moment: Instant
    /// When it was read, or some milliseconds later.
    package let readAt = ContinuousClock.now

    /// What it shows now.
    package var now: Instant { moment.advanced(by: ContinuousClock.now - readAt) }
}
