// Bounds the batch size, the concurrency, the waiting time and the attempts of a BatchQueue.

/// The limits of a queue.
package struct QueueLimits: Sendable {
    /// The maximum number of jobs in one batch. 64 checkouts are about 2 ms of work in the database. A larger batch
    /// would delay all of its jobs and hardly reduce the commit cost per job.
    package var batchSize = 64
    /// The number of concurrent batches. With two, the database executes one while the server decides the other.
    package var workers = 2
    /// The maximum number of waiting jobs. 1,024 checkouts are 0.1 to 0.2 s of work, so a guest still gets a prompt
    /// response.
    package var waitingLimit = 1024
    /// How long a job may wait for its batch. After this, it fails with `timedOutInQueue`.
    package var maximumWait: Duration = .seconds(2)
    /// The same while batches are slow but successful, as with the commits of a distant standby. A job then may wait as
    /// long as four batches.
    package var maximumWaitIfSlow: Duration = .seconds(8)
    /// How long a job may take from its submission to its result. After this, it fails with `outcomeUnknown`.
    package var lifetime: Duration = .seconds(60)
    /// The maximum number of jobs that wait for locked rows.
    package var blockedLimit = 256
    /// The number of attempts of a job that has conflicts: the first one and three retries.
    package var attemptLimit = 4

    /// How long a job may wait for its batch if the last successful batch took this time.
    package func longestWait(afterBatchOf duration: Duration) -> Duration {
        max(maximumWait, min(duration * 4, maximumWaitIfSlow))
    }

    /// Makes the default limits.
    package init() {}

    /// The default limits, with more workers for several shards: batches of different shards are independent.
    init(for shards: Shards) { if shards.count > 1 { workers = 8 } }
}
