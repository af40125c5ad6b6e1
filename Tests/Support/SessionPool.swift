// libpq sessions that stay open. Tests create and drop databases in them, and poll.
// A psql process with its session takes 15 ms of processor time, PostgreSQL's part included.
// A statement in an open session takes 0.4 ms.
import CLibPQ
import Dispatch
import Synchronization

/// A pool of sessions. Statements that run concurrently have a session each.
final class SessionPool: Sendable {
    /// The sessions of the poll that the current task runs in; see `eventually`.
    @TaskLocal static var forPolling: SessionPool?

    /// The sessions in which databases are created and dropped.
    static let forSetup = SessionPool()

    private let idle = Mutex<[String: [OpenSession]]>([:])

    /// Runs SQL and returns what psql would print: rows in lines, columns separated by `|`. Throws ``PsqlFailed``.
    @discardableResult
    func run(_ sql: String, url: String) async throws -> String {
        // The server may have closed an idle session. A new session runs the SQL then.
        if let session = idle.withLock({ $0[url]?.popLast() }), let output = try await run(sql, in: session, url) {
            return output
        }
        guard let output = try await run(sql, in: OpenSession(url), url) else {
            throw PsqlFailed(output: "the connection was lost")
        }
        return output
    }

    /// Returns nil if the connection is lost.
    private func run(_ sql: String, in session: OpenSession, _ url: String) async throws -> String? {
        switch await session.run(sql) {
        case .connectionLost(let isNew, let message):
            if isNew { throw PsqlFailed(output: message) }
            return nil
        case .failed(let message):
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

/// One connection with a queue of its own, because libpq blocks.
private final class OpenSession: @unchecked Sendable {
    enum Outcome: Sendable {
        case rows(String)
        case failed(String)
        /// - Parameter isNew: Whether the session had run no statement before.
        case connectionLost(isNew: Bool, String)
    }

    private let url: String
    private let queue = DispatchQueue(label: "OpenSession")
    // Accessed on the queue only.
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
            return .connectionLost(isNew: isNew, String(cString: PQerrorMessage(connection)))
        }
        var (lines, failure): ([String], String?) = ([], nil)
        while let result = PQgetResult(connection) {
            lines += Self.lines(of: result)
            if PQresultStatus(result) == PGRES_FATAL_ERROR { failure = String(cString: PQresultErrorMessage(result)) }
            PQclear(result)
        }
        guard let failure else { return .rows(lines.joined(separator: "\n")) }
        return PQstatus(connection) == CONNECTION_OK ? .failed(failure) : .connectionLost(isNew: isNew, failure)
    }

    /// Connects with the same settings that `Psql` gives psql.
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
