// Jobs that wait for a locked row, apart from the other jobs of their queue.

/// Jobs that are blocked while a condition is true.
struct BlockedJobs<Job> {
    private var jobs: [(job: Job, since: ContinuousClock.Instant, isBlocked: @Sendable () -> Bool)] = []

    var count: Int { jobs.count }

    /// - Parameter since: When the job was submitted.
    mutating func add(_ job: Job, since: ContinuousClock.Instant, while isBlocked: @escaping @Sendable () -> Bool) {
        jobs.append((job, since, isBlocked))
    }

    /// Removes and returns the jobs that are no longer blocked, and those submitted before `begin`.
    mutating func take(waitingSince begin: ContinuousClock.Instant) -> (free: [Job], late: [Job]) {
        guard !jobs.isEmpty else { return ([], []) }
        var (free, late): ([Job], [Job]) = ([], [])
        jobs.removeAll { job, since, isBlocked in
            if !isBlocked() {
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

    /// Removes and returns all jobs.
    mutating func takeAll() -> [Job] {
        defer { jobs = [] }
        return jobs.map(\.job)
    }
}
