// Reads PostgreSQL's error report out of libpq's result. Used by Pipeline, Opening and the scripts of ConnectionLoop.
import CLibPQ

extension ServerError {
    /// The report that a result carries; nil when libpq made the error itself, which means that the connection is gone.
    init?(_ result: OpaquePointer) {
        func field(_ code: Character) -> String? {
            guard let ascii = code.asciiValue, let text = PQresultErrorField(result, Int32(ascii)) else { return nil }
            return String(cString: text)
        }
        // The letters are those of the protocol (PG_DIAG_SQLSTATE and so on).
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

    /// After these the server closes the connection.
    var endsConnection: Bool { severity == "FATAL" || severity == "PANIC" }

    /// The statement was refused before it ran because its prepared form is gone (DISCARD, a pooler) or no longer fits (DDL).
    var asksForPreparation: Bool {
        sqlState == "26000" || (sqlState == "0A000" && sourceFunction == "RevalidateCachedQuery")
    }

    /// The error as a caller sees it. 57014 is how `statement_timeout` ends a statement.
    var asPostgresError: PostgresError { sqlState == "57014" ? .timedOut(mayHaveCommitted: false) : .server(self) }
}
