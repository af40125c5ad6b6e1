// How far a replica is behind its primary, from where each stands in the write-ahead log: the replica's own word won't do, for one that lost its
// primary has replayed all that it ever received, and calls itself up to date. Used by ReadReplicas, which looks once a second.

/// Where the primary stood at which moments, of the last looks.
struct ReplicaLag: Sendable {
    /// A place in the log of the primary, in bytes since its beginning (pg_lsn).
    typealias Position = Int64

    /// Looks further back than this make no difference: such a replica isn't read.
    private static let markLimit = 64

    private var marks: [(position: Position, at: ContinuousClock.Instant)] = []

    /// The primary stands here now. One that stands before where it was has been put back from a backup: what was known is void.
    mutating func recordPrimary(at position: Position, _ now: ContinuousClock.Instant) {
        if let last = marks.last, position < last.position { marks = [] }
        if marks.count == Self.markLimit { marks.removeFirst() }
        marks.append((position, now))
    }

    /// How much of the time before `now` a replica lacks, at most, that has replayed the log up to `position`: what has passed since the last
    /// moment whose writes it has all replayed, for since the last look the primary may have written. Nil where it lacks all that is known.
    /// - Parameter now: Nil while the primary is away and nobody writes: then it is the moment of the last look.
    func lag(at position: Position, _ now: ContinuousClock.Instant?) -> Duration? {
        guard let newest = marks.last, let reached = marks.last(where: { $0.position <= position }) else { return nil }
        return (now ?? newest.at) - reached.at
    }
}
