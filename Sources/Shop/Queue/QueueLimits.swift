// The limits of a queue.

/// The limits of a queue.
package struct QueueLimits: Sendable {
    /// The number of jobs in one batch. 64 checkouts are about 2 ms of work in the database. A larger batch would make
    /// everybody wait longer and hardly reduce the cost of a commit per job.
    package var batchSize = 64
    /// The number of batches in progress: one is in the database while another is decided.
    package var workers = 2
    /// The number of waiting jobs. 1,024 checkouts are 0.1 to 0.2 s of work, so a guest still gets a prompt response.
    package var waitingLimit = 1024
    /// How long a job may wait for its batch.
    package var maximumWait: Duration = .seconds(2)
    /// How long a job may take from its submission to its result.
    package var lifetime: Duration = .seconds(60)
    /// The number of jobs that may wait for locked rows.
    package var blockedLimit = 256
    /// The number of attempts of a job that has conflicts: the first one and three retries.
    package var attemptLimit = 4

    /// Makes the default limits.
    package init() {}

    /// The default limits, with more workers for several shards: batches of different shards are independent.
    init(for shards: Shards) { if shards.count > 1 { workers = 8 } }
}
