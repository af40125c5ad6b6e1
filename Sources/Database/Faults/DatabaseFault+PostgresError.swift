// Converts PostgreSQL errors to database faults. Only this file reads SQLSTATEs.
import Postgres

extension DatabaseFault {
    init(_ error: PostgresError) {
        (kind, mayHaveCommitted, description) = (error.kind, error.mayHaveCommitted, "\(error)")
        if case .server(let refusal) = error { remedy = refusal.remedy } else { remedy = nil }
    }

    /// A row does not have the expected form.
    package static func undecodable(_ reason: String) -> DatabaseFault {
        DatabaseFault(PostgresError.undecodable(reason))
    }

    /// No response in time to a statement that writes nothing.
    package static func unavailable(_ reason: String) -> DatabaseFault {
        DatabaseFault(PostgresError.unavailable(reason))
    }

    /// The task was cancelled before the statement had an effect.
    package static var cancelled: DatabaseFault { DatabaseFault(PostgresError.cancelled(mayHaveCommitted: false)) }
}

extension PostgresError {
    fileprivate var kind: DatabaseFault.Kind {
        switch self {
        case .server(let refusal): refusal.kind
        case .connectionLost: .connectionLost
        case .timedOut: .timedOut
        case .unavailable: .unavailable
        case .overloaded: .overloaded
        case .cancelled: .cancelled
        case .outdated: .conflict
        case .invalidParameter: .invalidParameter
        case .undecodable: .undecodable
        }
    }
}

// Classes and codes: https://www.postgresql.org/docs/current/errcodes-appendix.html
extension ServerError {
    /// The kind of fault. All other codes are faults of the database: missing resources (53), privileges or schema
    /// (42), a damaged file or program (58, XX).
    fileprivate var kind: DatabaseFault.Kind {
        switch sqlState.prefix(2) {
        case "22", "23", "54", "P0": .rejectedValues
        case "40": .conflict
        case "57" where sqlState.hasPrefix("57P"): .restarting
        case _ where sqlState == "55P03": .locked
        case _ where sqlState == "25006": .readOnly
        default: .database
        }
    }

    fileprivate var remedy: String? {
        if isBrokenLibrary {
            return "PostgreSQL's files were replaced or damaged while it runs: check them, and restart it"
        }
        switch sqlState {
        case "42501": return "grant it again: sql/009_roles.sql says what the server may do"
        case "53100": return "make room on the database's disk"
        case "25006": return "the database takes no writes: give --database-url the primary"
        case "55P03": return "another session holds a lock on a table: see pg_locks and pg_stat_activity"
        default: return nil
        }
    }

    /// A session cannot load a library, because its file was replaced by another release or damaged while the server
    /// runs.
    private var isBrokenLibrary: Bool {
        ["could not load library", "could not access file", "incompatible library", "could not find function"].contains
        {
            message.hasPrefix($0)
        }
    }

    /// The message for the operator's own file. It may contain values, unlike messages about guests' data, and adds a
    /// hint where PostgreSQL has none.
    var seedFileDescription: String {
        switch sqlState {
        case "22P02", "22003": "\(message) (hint: amounts are whole minor units without a sign or a comma: 8.99 is 899)"
        case "42501":
            "\(message) (hint: sql/009_roles.sql lists the privileges; change orders with select advance_order(...))"
        case let state where state.hasPrefix("22"): "\(message) (\(state))"
        default: "\(self)"
        }
    }

    /// A function did not find the requested row.
    var isRowMissing: Bool { sqlState == "P0002" }

    /// A table is missing: the database was not migrated.
    var isTableMissing: Bool { sqlState == "42P01" }

    /// The name of the violated constraint.
    var constraintName: String? { constraint.map(Self.removingShardID) }

    /// Removes the shard id that Citus appends to constraint names: `order_total_adds_up_102008`. Shard ids start at
    /// 102008.
    static func removingShardID(from constraint: String) -> String {
        guard let underscore = constraint.lastIndex(of: "_"), underscore > constraint.startIndex else {
            return constraint
        }
        let digits = constraint[constraint.index(after: underscore)...].utf8
        return digits.count >= 6 && digits.allSatisfy { (0x30...0x39).contains($0) }
            ? String(constraint[..<underscore]) : constraint
    }
}
