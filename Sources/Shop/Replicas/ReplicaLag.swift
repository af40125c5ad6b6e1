// Measures how far a replica is behind, by its position in the write-ahead log of the primary. The replica's own lag is
// not usable: a replica that lost its primary has replayed all that it received and reports no lag.

/// The log positions of the primary at the last checks.
struct ReplicaLag: Sendable {
    /// A position in the write-ahead log, in bytes (pg_lsn).
    typealias Position = Int64

    /// The number of kept positions. A replica that is behind the oldest one is not used.
    private static let markLimit = 64

    private var marks: [(position: Position, at: ContinuousClock.Instant)] = []

    /// Records the primary's position. A lower position than before means a restored backup and clears the history.
    mutating func recordPrimary(at position: Position, _ now: ContinuousClock.Instant) {
        if let last = marks.last, position < last.position { marks = [] }
        if marks.count == Self.markLimit { marks.removeFirst() }
        marks.append((position, now))
    }

    /// The lag of a replica that has replayed the log up to `position`: the time since the last check of the primary
    /// whose position the replica has reached. Nil if it has reached none.
    /// - Parameter now: Nil while the primary is unreachable: the lag is then measured at the last check.
    func lag(at position: Position, _ now: ContinuousClock.Instant?) -> Duration? {
        guard let newest = marks.last, let reached = marks.last(where: { $0.position <= position }) else { return nil }
        return (now ?? newest.at) - reached.at
    }
}
