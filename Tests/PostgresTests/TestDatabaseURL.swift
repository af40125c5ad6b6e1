// The tests' database, and connections and pools that close after use.

import Logging
import Postgres
import Support
import Testing

/// The URL of a database that all these tests share. A test's objects in it are temporary or have unique names.
func testDatabaseURL() async throws -> String {
    try await sharedDatabase.value.url
}

private let sharedDatabase = Task { try await TestDatabase.empty() }

/// Logs only critical messages.
let quiet: Logger = {
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    return logger
}()

/// Runs `body` with a connection, and closes the connection afterwards.
func withConnection<Value: Sendable>(
    settings: [String: String] = [:], statementTimeout: Duration? = nil,
    _ body: (PostgresConnection) async throws -> Value
) async throws -> Value {
    let connection = try await PostgresConnection.connect(
        try await testDatabaseURL(), sessionSettings: settings, statementTimeout: statementTimeout, logger: quiet)
    do {
        let value = try await body(connection)
        await connection.close()
        return value
    } catch {
        await connection.close()
        throw error
    }
}

/// Runs `body` with a running pool, and ends the pool afterwards.
func withPool<Value: Sendable>(
    url: String? = nil, _ configure: (inout PoolConfiguration) -> Void = { _ in },
    onHealthChange: @escaping @Sendable (PoolHealth) -> Void = { _ in }, _ body: (PostgresPool) async throws -> Value
) async throws -> Value {
    var configuration = PoolConfiguration(url: try await databaseURL(url))
    // A busy machine opens connections slowly, which most tests do not examine.
    configuration.waitForConnection = .seconds(30)
    configure(&configuration)
    let pool = try PostgresPool(configuration, logger: quiet, onHealthChange: onHealthChange)
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await pool.run() }
        let value = try await body(pool)
        group.cancelAll()
        return value
    }
}

private func databaseURL(_ url: String?) async throws -> String {
    if let url { return url }
    return try await testDatabaseURL()
}

/// Returns the `PostgresError` that `body` must throw.
func postgresError(_ body: () async throws -> some Any, sourceLocation: SourceLocation = #_sourceLocation) async
    -> PostgresError?
{
    await #expect(throws: PostgresError.self, sourceLocation: sourceLocation) { _ = try await body() }
}

extension PostgresError {
    /// The SQLSTATE, if the error is PostgreSQL's.
    var sqlState: String? {
        if case .server(let error) = self { error.sqlState } else { nil }
    }
}

/// Calls `body` until it returns a value, for conditions that depend on another process. Throws after the limit.
func eventually<Value>(
    _ what: String, within limit: Duration = .seconds(30), _ body: () async throws -> Value?
) async throws -> Value {
    let deadline = ContinuousClock.now + limit
    while true {
        if let value = try await body() { return value }
        guard ContinuousClock.now < deadline else { throw NeverHappened(what: what) }
        try await Task.sleep(for: .milliseconds(5))
    }
}

struct NeverHappened: Error {
    let what: String
}
