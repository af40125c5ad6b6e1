// Jobs of a queue that wait for a row which somebody outside holds: in nobody's way, and not for long. Used by BatchQueue.

/// Jobs that can't be done as long as something else lasts.
struct BlockedJobs<Job> {
    private var jobs: [(job: Job, since: ContinuousClock.Instant, waits: @Sendable () -> Bool)] = []

    var count: Int { jobs.count }

    /// - Parameter since: When it was submitted.
    mutating func add(_ job: Job, since: ContinuousClock.Instant, while waits: @escaping @Sendable () -> Bool) {
        jobs.append((job, since, waits))
    }

    /// Takes out what can be done by now, and what has waited since before `begin`.
    mutating func take(waitingSince begin: ContinuousClock.Instant) -> (free: [Job], late: [Job]) {
        guard !jobs.isEmpty else { return ([], []) }
        var (free, late): ([Job], [Job]) = ([], [])
        jobs.removeAll { job, since, waits in
            if !waits() {
                free.append(job)
            } else if since < begin {
                late.append(job)
            } else {
                return false
            }
            return true
        }
        return (free, late)
    }

    /// Takes out all of them.
    mutating func takeAll() -> [Job] {
        defer { jobs = [] }
        return jobs.map(\.job)
    }
}
