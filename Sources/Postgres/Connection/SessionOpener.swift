// Opens a connection with libpq's blocking connect on the connection's own thread. Only the blocking connect supports
// several hosts, target_session_attrs and a connect_timeout for each host.
import CLibPQ
import Glibc
import Logging

/// Opens sessions with a configuration.
struct SessionOpener: Sendable {
    private let configuration: ConnectionConfiguration
    private let statementTimeout: Duration?

    /// `statementTimeout` becomes PostgreSQL's `statement_timeout`; nil: the server's default.
    init(_ configuration: ConnectionConfiguration, statementTimeout: Duration?) {
        (self.configuration, self.statementTimeout) = (configuration, statementTimeout)
    }

    /// Applies all settings and reads the start time of the server process in one round trip.
    private static let setUp = """
        select count(set_config(name, value, false)), (select backend_start from pg_stat_get_activity(pg_backend_pid()))
          from unnest($1::text[], $2::text[]) as setting(name, value)
        """

    /// Connects and configures the session.
    func open(logger: Logger) throws(ConnectionFailure) -> (Session, Backend) {
        let session = Session(try connect(), logger: logger)
        var settings = configuration.sessionSettings
        if let statementTimeout { settings["statement_timeout"] = String(statementTimeout.pollTimeout) }
        try session.send(Self.setUp, Parameters(Array(settings.keys), Array(settings.values)))
        var start = Timestamp.negativeInfinity
        let deadline = ContinuousClock.now + configuration.connectTimeout
        try session.runOutsidePipeline(until: deadline) { result throws(ConnectionFailure) in
            guard PQresultStatus(result) == PGRES_TUPLES_OK else {
                throw ConnectionFailure(reason: ServerError(result)?.description ?? session.message)
            }
            var row = Row(result: result, index: 0, columnCount: PQnfields(result))
            do throws(PostgresError) {
                _ = try row.next(Int64.self)
                start = try row.next()
            } catch {
                throw ConnectionFailure(reason: error.description)
            }
        }
        return (session, Backend(processID: PQbackendPID(session.connection), start: start))
    }

    private func connect() throws(ConnectionFailure) -> OpaquePointer {
        let url = configuration.url
        if let fault = ConnectionString.problem(in: url) {
            throw ConnectionFailure(reason: "the connection string is malformed: \(fault)")
        }
        let keepalive = configuration.keepalive
        let seconds = String(max(1, keepalive.components.seconds))
        // Later entries win: the URL overrides our limits, and the encoding overrides the URL, because all texts are
        // UTF-8.
        let settings: [(String, String)] = [
            ("connect_timeout", String(max(1, configuration.connectTimeout.components.seconds))),
            ("keepalives_idle", seconds), ("keepalives_interval", seconds), ("keepalives_count", "3"),
            ("tcp_user_timeout", String(keepalive.pollTimeout < 1 ? 1 : 4 * Int64(keepalive.pollTimeout))),
            ("fallback_application_name", "welms"),
            ("dbname", url),
            ("client_encoding", "UTF8"),
        ]
        let names = settings.map { strdup($0.0) }
        let values = settings.map { strdup($0.1) }
        defer { for text in names + values { free(text) } }
        let connection = PQconnectdbParams(
            names.map { UnsafePointer($0) } + [nil], values.map { UnsafePointer($0) } + [nil], 1)
        guard let connection else { throw ConnectionFailure(reason: "out of memory") }
        guard PQstatus(connection) == CONNECTION_OK, PQsetnonblocking(connection, 1) == 0 else {
            defer { PQfinish(connection) }
            throw ConnectionFailure(reason: Session.message(of: connection))
        }
        return connection
    }
}
