// One connection of one's own: for migrations, for LISTEN, and for tests. It is not reopened when it is lost. Made by Database and tests.
// Read next: Pool/PostgresPool.swift.

import Logging

/// What `NOTIFY` sent.
public struct PostgresNotification: Sendable, Hashable {
    /// The channel.
    public let channel: String
    /// The text sent along, often empty.
    public let payload: String
    /// The process id of the server process that sent it.
    public let processID: Int32
}

/// A connection to a database that stays open until it is closed or lost.
public final class PostgresConnection: Sendable {
    /// What arrived on the channels listened to; at most the newest 1,024 wait. Ends when the connection does. For one reader.
    public let notifications: AsyncStream<PostgresNotification>
    /// The id of the server process behind the connection.
    public let processID: Int32

    init() {
        notifications = AsyncStream { $0.finish() }
        processID = 0
    }

    /// Connects to `url`, a libpq connection string or URI. Without a `statementTimeout` a statement may take as long as it likes.
    public static func connect(
        _ url: String, sessionSettings: [String: String] = [:], statementTimeout: Duration? = nil, logger: Logger
    ) async throws(PostgresError) -> PostgresConnection {
        throw .unavailable("not running")
    }

    /// Runs a statement and reads each of its rows with `decode`, which is called on the connection's thread and must not
    /// block. What it throws other than a `PostgresError` becomes `undecodable`.
    public func query<Value: Sendable>(
        _ statement: Statement, _ parameters: Parameters, _ effect: Effect,
        decode: @escaping @Sendable (inout Row) throws -> Value
    ) async throws(PostgresError) -> [Value] {
        throw .unavailable("not running")
    }

    /// Runs a statement with the values given.
    public func query<each Parameter: PostgresEncodable, Value: Sendable>(
        _ statement: Statement, _ effect: Effect, _ parameter: repeat each Parameter,
        decode: @escaping @Sendable (inout Row) throws -> Value
    ) async throws(PostgresError) -> [Value] {
        try await query(statement, Parameters(repeat each parameter), effect, decode: decode)
    }

    /// Runs a statement for its effect; answers how many rows it touched.
    @discardableResult
    public func execute(_ statement: Statement, _ parameters: Parameters, _ effect: Effect) async throws(PostgresError) -> Int {
        throw .unavailable("not running")
    }

    /// Runs a statement with the values given for its effect; answers how many rows it touched.
    @discardableResult
    public func execute<each Parameter: PostgresEncodable>(
        _ statement: Statement, _ effect: Effect, _ parameter: repeat each Parameter
    ) async throws(PostgresError) -> Int {
        try await execute(statement, Parameters(repeat each parameter), effect)
    }

    /// Runs a text of several statements with the simple protocol, outside pipeline mode; the first error ends it. The text is one implicit
    /// transaction unless it says otherwise; `begin` and `commit` may be scripts of their own.
    public func run(script: String) async throws(PostgresError) {}

    /// Asks for the notifications of a channel; they arrive in `notifications`.
    public func listen(to channel: String) async throws(PostgresError) {}

    /// Finishes what was accepted and closes the connection.
    public func close() async {}
}
