// libpq sessions that stay open. Tests make and drop databases in them, and poll. A psql process with its session takes
// 15 ms of processor time, PostgreSQL's part included; a statement in an open session takes 0.4 ms.
import CLibPQ
import Dispatch
import Synchronization

/// Sessions that are kept for the next statement. Statements that run side by side have a session each.
final class OpenSessions: Sendable {
    /// The sessions of the poll in which this task is; see `eventually`.
    @TaskLocal static var ofPoll: OpenSessions?

    /// The sessions in which databases are made and dropped.
    static let ofSetUp = OpenSessions()

    private let idle = Mutex<[String: [OpenSession]]>([:])

    /// Runs SQL and returns what psql would print: the rows in lines with columns separated by `|`.
    /// Throws ``PsqlFailed``.
    @discardableResult
    func run(_ sql: String, url: String) async throws -> String {
        // The server may have ended an idle session: a new one decides.
        if let session = idle.withLock({ $0[url]?.popLast() }), let output = try await run(sql, in: session, url) {
            return output
        }
        guard let output = try await run(sql, in: OpenSession(url), url) else {
            throw PsqlFailed(output: "the connection was lost")
        }
        return output
    }

    /// Nil if the connection is lost.
    private func run(_ sql: String, in session: OpenSession, _ url: String) async throws -> String? {
        switch await session.run(sql) {
        case .lost(let isNew, let message):
            if isNew { throw PsqlFailed(output: message) }
            return nil
        case .refused(let message):
            keep(session, url)
            throw PsqlFailed(output: message)
        case .rows(let output):
            keep(session, url)
            return output
        }
    }

    private func keep(_ session: OpenSession, _ url: String) {
        idle.withLock { $0[url, default: []].append(session) }
    }
}

/// One connection, used on a queue of its own because libpq blocks.
private final class OpenSession: @unchecked Sendable {
    enum Outcome: Sendable {
        case rows(String)
        case refused(String)
        /// - Parameter isNew: Whether no statement had run in the session before.
        case lost(isNew: Bool, String)
    }

    private let url: String
    private let queue = DispatchQueue(label: "OpenSession")
    // Used on the queue only.
    private var connection: OpaquePointer?

    init(_ url: String) { self.url = url }

    deinit { PQfinish(connection) }

    func run(_ sql: String) async -> Outcome {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.runNow(sql)) }
        }
    }

    private func runNow(_ sql: String) -> Outcome {
        let isNew = connection == nil
        let connection = self.connection ?? connect()
        self.connection = connection
        guard PQstatus(connection) == CONNECTION_OK, PQsendQuery(connection, sql) == 1 else {
            return .lost(isNew: isNew, String(cString: PQerrorMessage(connection)))
        }
        var (lines, refusal): ([String], String?) = ([], nil)
        while let result = PQgetResult(connection) {
            lines += Self.lines(of: result)
            if PQresultStatus(result) == PGRES_FATAL_ERROR { refusal = String(cString: PQresultErrorMessage(result)) }
            PQclear(result)
        }
        guard let refusal else { return .rows(lines.joined(separator: "\n")) }
        return PQstatus(connection) == CONNECTION_OK ? .refused(refusal) : .lost(isNew: isNew, refusal)
    }

    /// Connects with the settings that psql gets in `Psql`.
    private func connect() -> OpaquePointer? {
        let options = "options=-c%20client_min_messages%3Dwarning%20-c%20timezone%3DUTC"
        return PQconnectdb(url + (url.contains("?") ? "&" : "?") + options)
    }

    private static func lines(of result: OpaquePointer) -> [String] {
        (0..<PQntuples(result)).map { row in
            (0..<PQnfields(result)).map { String(cString: PQgetvalue(result, row, $0)) }.joined(separator: "|")
        }
    }
}
