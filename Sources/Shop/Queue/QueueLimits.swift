// The bounds of a queue, and with them the most that a batch takes. Made by RunningShop and, for baskets, by BasketQueue; kept by BatchQueue.swift.

/// The bounds of a queue.
package struct QueueLimits: Sendable {
    /// How many jobs one batch takes at most. 64 checkouts are about 2 ms of work in the database: more would lengthen everybody's wait without
    /// making the share of a commit in each noticeably smaller.
    package var batch = 64
    /// How many batches are under way at once: one is in the database while another is decided.
    package var workers = 2
    /// How many jobs may wait. 1,024 checkouts are 0.1 to 0.2 s of work: whoever is let in is answered while the guest still looks at the button.
    package var waiting = 1024
    /// How long a job may wait for its batch to begin.
    package var patience: Duration = .seconds(2)
    /// How long a job may take in all, from its submission to its answer.
    package var lifetime: Duration = .seconds(60)
    /// How many jobs may wait for rows that somebody holds.
    package var blocked = 256
    /// How often a job may lose against somebody else: decided once, and three times again.
    package var attempts = 4

    package init() {}

    /// The bounds above for work that is spread over machines: a batch is for one shard, and those for others need not wait for it.
    init(for shards: Shards) { if shards.count > 1 { workers = 8 } }
}
