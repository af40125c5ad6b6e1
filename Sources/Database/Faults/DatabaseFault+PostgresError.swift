// Where PostgreSQL's own words become a DatabaseFault: the one place that reads a SQLSTATE. Called by ShopDatabase for each statement, and
// by the files of this room that have a connection of their own.
import Postgres

extension DatabaseFault {
    init(_ error: PostgresError) {
        (kind, mayHaveCommitted, description) = (error.kind, error.mayHaveCommitted, "\(error)")
        if case .server(let refusal) = error { remedy = refusal.remedy } else { remedy = nil }
    }

    /// A row is not what the program asked for.
    package static func undecodable(_ reason: String) -> DatabaseFault { DatabaseFault(PostgresError.undecodable(reason)) }

    /// There was no answer in time, to something that writes nothing.
    package static func unavailable(_ reason: String) -> DatabaseFault { DatabaseFault(PostgresError.unavailable(reason)) }

    /// The task was cancelled, and nothing was done.
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
        case .outdated: .race
        case .invalidParameter: .invalidParameter
        case .undecodable: .undecodable
        }
    }
}

// By the classes and codes of https://www.postgresql.org/docs/current/errcodes-appendix.html.
extension ServerError {
    /// Who or what a refusal is about. What is named nowhere is the database's: no resources (53), no right or a schema that is not ours (42),
    /// a broken file or program (58, XX), and whatever nobody has thought of.
    fileprivate var kind: DatabaseFault.Kind {
        switch sqlState.prefix(2) {
        case "22", "23", "54", "P0": .values
        case "40": .race
        case "57" where sqlState.hasPrefix("57P"): .restarting
        case _ where sqlState == "55P03": .locked
        case _ where sqlState == "25006": .readOnly
        default: .database
        }
    }

    fileprivate var remedy: String? {
        if isBrokenLibrary { return "PostgreSQL's files were replaced or damaged under it: see that they are whole, and restart it" }
        switch sqlState {
        case "42501": return "grant it again: sql/009_roles.sql says what the server may do"
        case "53100": return "make room on the database's disk"
        case "25006": return "the database takes no writes: give --database-url the primary"
        case "55P03": return "somebody holds a lock on a table: pg_locks and pg_stat_activity say who"
        default: return nil
        }
    }

    /// A session that can't load a library: its file was replaced by that of another release, or damaged, under the server that runs.
    private var isBrokenLibrary: Bool {
        ["could not load library", "could not access file", "incompatible library", "could not find function"].contains {
            message.hasPrefix($0)
        }
    }

    /// What an operator is told of their own file: a value of it may be told, unlike a guest's; and what PostgreSQL has no hint for gets one.
    var explanationOfSeed: String {
        switch sqlState {
        case "22P02", "22003":
            "\(message) (hint: amounts are whole minor units without a sign or a comma: 8.99 is 899)"
        case "42501":
            "\(message) (hint: who may change what stands in sql/009_roles.sql; orders move on with select advance_order(...))"
        case let state where state.hasPrefix("22"): "\(message) (\(state))"
        default: "\(self)"
        }
    }

    /// A function of ours has not found the row that it was asked for.
    var isRowMissing: Bool { sqlState == "P0002" }

    /// A table is not there: the database was not migrated.
    var isTableMissing: Bool { sqlState == "42P01" }

    /// The constraint that was broken, by the name that the schema gives it.
    var rule: String? { constraint.map(Self.rule) }

    /// Without what Citus hangs on the names of a shard's constraints: `order_total_adds_up_102008`. Shards count from 102008 on.
    static func rule(_ constraint: String) -> String {
        guard let underscore = constraint.lastIndex(of: "_"), underscore > constraint.startIndex else { return constraint }
        let digits = constraint[constraint.index(after: underscore)...].utf8
        return digits.count >= 6 && digits.allSatisfy { (0x30...0x39).contains($0) } ? String(constraint[..<underscore]) : constraint
    }
}
