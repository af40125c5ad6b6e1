// The table locks of PostgreSQL (https://www.postgresql.org/docs/current/explicit-locking.html).

/// A mode of a table lock, from the weakest to the strongest.
package enum LockMode: String, Sendable, Hashable, CaseIterable, Comparable {
    case accessShare = "AccessShareLock"
    case rowShare = "RowShareLock"
    case rowExclusive = "RowExclusiveLock"
    case shareUpdateExclusive = "ShareUpdateExclusiveLock"
    case share = "ShareLock"
    case shareRowExclusive = "ShareRowExclusiveLock"
    case exclusive = "ExclusiveLock"
    case accessExclusive = "AccessExclusiveLock"

    /// The name in SQL and in PostgreSQL's documentation.
    package var name: String {
        switch self {
        case .accessShare: "ACCESS SHARE"
        case .rowShare: "ROW SHARE"
        case .rowExclusive: "ROW EXCLUSIVE"
        case .shareUpdateExclusive: "SHARE UPDATE EXCLUSIVE"
        case .share: "SHARE"
        case .shareRowExclusive: "SHARE ROW EXCLUSIVE"
        case .exclusive: "EXCLUSIVE"
        case .accessExclusive: "ACCESS EXCLUSIVE"
        }
    }

    /// The effect of the lock on the statements of a shop.
    var effect: String {
        switch self {
        case .accessShare, .rowShare, .rowExclusive, .shareUpdateExclusive: "blocks neither reads nor writes"
        case .share, .shareRowExclusive, .exclusive: "blocks writes"
        case .accessExclusive: "blocks reads and writes"
        }
    }

    package static func < (left: LockMode, right: LockMode) -> Bool {
        guard let left = allCases.firstIndex(of: left), let right = allCases.firstIndex(of: right) else { return false }
        return left < right
    }
}

/// A lock of a table.
package struct TableLock: Sendable, Hashable, Comparable {
    package let table: String
    package let mode: LockMode

    package init(table: String, mode: LockMode) { (self.table, self.mode) = (table, mode) }

    package static func < (left: TableLock, right: TableLock) -> Bool {
        (left.table, left.mode) < (right.table, right.mode)
    }
}
