// Where these tests find a PostgreSQL, and connections and pools for the time of a body. Used by all the tests beside this file.

import Logging
import Postgres
import Support
import Testing

/// The URL of a database that all these tests share; what a test makes in it is temporary, or has a name of its own.
func testDatabaseURL() async throws -> String {
    try await sharedDatabase.value.url
}

private let sharedDatabase = Task { try await TestDatabase.empty() }

/// Logs nothing but what must not happen.
let quiet: Logger = {
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    return logger
}()

/// A connection for the time of the body.
func withConnection<Value: Sendable>(
    settings: [String: String] = [:], statementTimeout: Duration? = nil, _ body: (PostgresConnection) async throws -> Value
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

/// A running pool for the time of the body.
func withPool<Value: Sendable>(
    url: String? = nil, _ configure: (inout PoolConfiguration) -> Void = { _ in },
    onHealthChange: @escaping @Sendable (PoolHealth) -> Void = { _ in }, _ body: (PostgresPool) async throws -> Value
) async throws -> Value {
    var configuration = PoolConfiguration(url: try await databaseURL(url))
    // A machine that does much else opens connections slowly, which is not what most tests are about.
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

/// The error that the body throws, which must be the client's own.
func postgresError(_ body: () async throws -> some Any, sourceLocation: SourceLocation = #_sourceLocation) async -> PostgresError? {
    await #expect(throws: PostgresError.self, sourceLocation: sourceLocation) { _ = try await body() }
}

extension PostgresError {
    /// SQLSTATE, when it is PostgreSQL's own error.
    var sqlState: String? {
        if case .server(let error) = self { error.sqlState } else { nil }
    }
}

/// Tries until the body succeeds; for what another process does in its own time. Fails after the limit.
func eventually<Value>(_ what: String, within limit: Duration = .seconds(30), _ body: () async throws -> Value?) async throws -> Value {
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
