// The time limits and pauses of the migrator, which tests replace.

/// How long a migrator waits for locks, and how it pauses between attempts.
package struct MigrationTiming: Sendable {
    /// The reason for a pause.
    package enum Pause: Sendable, Hashable {
        /// Before another attempt to get the locks of a step.
        case lockRetry
        /// Before another look whether another migrator has finished.
        case otherMigrator
        /// Before the next report about a step that still runs.
        case progress
    }

    /// How long a step waits for a lock. Every later statement that needs the table waits behind it.
    package var lockTimeout: Duration = .seconds(2)
    /// How often a step is tried before the migration fails: with the pauses, for about eight minutes.
    package var attempts = 20
    /// A random percentage by which a pause before another attempt is multiplied.
    package var jitterPercent: @Sendable () -> Int = { Int.random(in: 50...100) }
    /// Suspends the task; throws if the task is cancelled.
    package var sleep: @Sendable (Pause, Duration) async throws -> Void = { _, duration in
        try await Task.sleep(for: duration)
    }

    package init() {}

    /// The pause after an attempt, counted from 1: 1, 2, 4, … 30 s, multiplied by the percentage.
    func retryDelay(after attempt: Int) -> Duration {
        let seconds = attempt > 5 ? 30 : min(30, 1 << (attempt - 1))
        return .milliseconds(seconds * 10 * jitterPercent())
    }
}
