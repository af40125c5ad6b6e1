// How the storage layer classifies PostgreSQL's errors. Values only, without a database.
import Testing

@testable import Database
@testable import Postgres

@Suite("Database faults")
struct DatabaseFaultTests {
    private static func refusal(_ sqlState: String, _ message: String = "x") -> DatabaseFault {
        DatabaseFault(
            .server(
                ServerError(
                    sqlState: sqlState, severity: "ERROR", message: message, detail: nil, hint: nil, constraint: nil,
                    table: nil,
                    column: nil,
                    position: nil, sourceFunction: nil)))
    }

    @Test(
        "Each SQLSTATE has its kind: environment errors concern the whole database, data errors only their order",
        arguments: [
            ("08006", .database), ("42501", .database), ("42P01", .database), ("53100", .database),
            ("53200", .database),
            ("57014", .database), ("58P01", .database), ("58030", .database), ("XX000", .database),
            ("XX001", .database),
            ("0A000", .database), ("55000", .database), ("57P01", .restarting), ("57P03", .restarting),
            ("25006", .readOnly),
            ("55P03", .locked), ("40001", .conflict), ("40P01", .conflict), ("22003", .rejectedValues),
            ("23514", .rejectedValues), ("54000", .rejectedValues),
            ("P0001", .rejectedValues),
        ] as [(String, DatabaseFault.Kind)])
    func kinds(sqlState: String, kind: DatabaseFault.Kind) {
        #expect(Self.refusal(sqlState).kind == kind)
    }

    @Test("A client error keeps its kind, its message and whether the statement may have been committed")
    func clientErrors() {
        let errors: [(PostgresError, DatabaseFault.Kind, mayHaveCommitted: Bool, isAbsence: Bool)] = [
            (.unavailable("x"), .unavailable, false, true), (.overloaded, .overloaded, false, false),
            (.connectionLost(InterruptedStatement(mayHaveCommitted: true, reason: "x")), .connectionLost, true, true),
            (.connectionLost(InterruptedStatement(mayHaveCommitted: false, reason: "x")), .connectionLost, false, true),
            (.timedOut(mayHaveCommitted: true), .timedOut, true, true),
            (.timedOut(mayHaveCommitted: false), .timedOut, false, true),
            (.cancelled(mayHaveCommitted: true), .cancelled, true, false),
            (.invalidParameter("x"), .invalidParameter, false, false),
            (.undecodable("x"), .undecodable, true, false),
        ]
        for (error, kind, mayHaveCommitted, isAbsence) in errors {
            let fault = DatabaseFault(error)
            #expect(
                fault.kind == kind && fault.mayHaveCommitted == mayHaveCommitted
                    && fault.isConnectivityFailure == isAbsence, "\(error)")
            #expect("\(fault)" == "\(error)" && fault.descriptionWithRemedy == "\(error)")
        }
        #expect(
            Self.refusal("57P01").isConnectivityFailure && !Self.refusal("25006").isConnectivityFailure
                && !Self.refusal("XX000").isConnectivityFailure)
    }

    @Test("A fault with a known remedy says what an operator must do")
    func remedies() {
        let library = Self.refusal(
            "58P01", "could not load library \"/usr/lib/postgresql/15/lib/plpgsql.so\": undefined symbol: x")
        #expect(
            library.descriptionWithRemedy.hasSuffix(
                "PostgreSQL's files were replaced or damaged while it runs: check them, and restart it"))
        #expect(Self.refusal("53100").descriptionWithRemedy.hasSuffix("make room on the database's disk"))
        #expect(Self.refusal("42501").descriptionWithRemedy.contains("sql/009_roles.sql"))
        #expect(Self.refusal("XX001").descriptionWithRemedy == "ERROR XX001: x")
    }
}
