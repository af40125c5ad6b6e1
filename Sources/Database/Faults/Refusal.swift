// Whose fault it is when PostgreSQL refuses a statement: one order's, nobody's, or the database's. Asked by CheckoutQueue, which places the
// others without it, by OrderingEvidence, which finds out whether anybody can order, and by Web, which answers.
import Postgres

extension ServerError {
    /// Who or what a refusal is about.
    package enum Cause: Sendable {
        /// The values of one statement: they don't fit (22), break a constraint (23), are too large for an index (54), or a function of ours
        /// raised (P0). Others go on.
        case values
        /// A transaction that lost against another one (40): nothing of it remains, and asked again it comes through.
        case race
        /// A row that somebody holds, waited for as long as a statement of ours waits (55P03).
        case heldRow
        /// A server that stops or starts, or has become a replica (57P, 25006).
        case absence
        /// All else, of the classes and codes of https://www.postgresql.org/docs/current/errcodes-appendix.html: no resources (53), no right or
        /// a schema that is not ours (42), a broken file or program (58, XX), and whatever nobody has thought of. It meets everybody alike.
        case database
    }

    /// Who or what this one is about.
    package var cause: Cause {
        switch sqlState.prefix(2) {
        case "22", "23", "54", "P0": .values
        case "40": .race
        case "57" where sqlState.hasPrefix("57P"): .absence
        case _ where sqlState == "55P03": .heldRow
        case _ where sqlState == "25006": .absence
        default: .database
        }
    }

    /// A session that can't load a library: its file was replaced by that of another release, or damaged, under the server that runs.
    var isBrokenLibrary: Bool {
        ["could not load library", "could not access file", "incompatible library", "could not find function"].contains {
            message.hasPrefix($0)
        }
    }
}

extension PostgresError {
    /// What somebody has to do about it, where that is known.
    var remedy: String? {
        guard case .server(let error) = self else { return nil }
        if error.isBrokenLibrary { return "PostgreSQL's files were replaced or damaged under it: see that they are whole, and restart it" }
        switch error.sqlState {
        case "42501": return "grant it again: sql/009_roles.sql says what the server may do"
        case "53100": return "make room on the database's disk"
        case "25006": return "the database takes no writes: give --database-url the primary"
        case "55P03": return "somebody holds a lock on a table: pg_locks and pg_stat_activity say who"
        default: return nil
        }
    }

    /// One line for the log and for `welms doctor`: what it is, and what to do.
    var withRemedy: String { remedy.map { "\(self): \($0)" } ?? "\(self)" }
}
