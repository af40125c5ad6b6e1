// Reads PostgreSQL's error report from libpq's result.
import CLibPQ

extension ServerError {
    /// The report in a result; nil when libpq made the error itself, which means that the connection has failed.
    init?(_ result: OpaquePointer) {
        func field(_ code: Character) -> String? {
            guard let ascii = code.asciiValue, let text = PQresultErrorField(result, Int32(ascii)) else { return nil }
            return String(cString: text)
        }
        // The letters are the protocol's field codes, such as PG_DIAG_SQLSTATE.
        guard let sqlState = field("C") else { return nil }
        self.sqlState = sqlState
        severity = field("V") ?? field("S") ?? "ERROR"
        message = field("M") ?? ""
        detail = field("D")
        hint = field("H")
        constraint = field("n")
        table = field("t")
        column = field("c")
        position = field("P").flatMap { Int($0) }
        sourceFunction = field("R")
    }

    /// Whether the server closes the connection after this error.
    var endsConnection: Bool { severity == "FATAL" || severity == "PANIC" }

    /// Whether the statement did not run because the server does not know its prepared statement (after DISCARD, or
    /// behind a pooler) or because its result type has changed (after DDL).
    var requiresPreparation: Bool {
        sqlState == "26000" || (sqlState == "0A000" && sourceFunction == "RevalidateCachedQuery")
    }

    /// Whether the cause can be a composite type that was altered or created anew, so that a parameter had the
    /// attributes or the object id of the former type. These codes are raised by record_recv, array_recv and the other
    /// functions that read parameters (42804, 22P03, 08P01), and by the search for a type, a function or a cast by
    /// object id (42704, 42883, 42846, XX000).
    var mayMeanAlteredType: Bool {
        switch sqlState {
        case "42804", "22P03", "08P01", "42704", "42883", "42846": true
        case "XX000": message.hasPrefix("cache lookup failed for type")
        default: false
        }
    }

    /// The error for a caller. SQLSTATE 57014 (query_canceled) becomes a timeout, because `statement_timeout` reports
    /// it.
    var asPostgresError: PostgresError { sqlState == "57014" ? .timedOut(mayHaveCommitted: false) : .server(self) }
}
