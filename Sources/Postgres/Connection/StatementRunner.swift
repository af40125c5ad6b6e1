// How statements are run, over a pool's connections or over one of its own. Used by whatever is stored. Read next: Query.swift.

/// What runs statements: a PostgresPool or a PostgresConnection.
package protocol StatementRunner: Sendable {
    /// Has the operation done and waits for its answer; throws what is wrong with the parameters before.
    func answer<Output>(_ query: Query<Output>, _ parameters: Parameters) async throws(PostgresError) -> Output
}

extension StatementRunner {
    /// Runs a statement and reads each of its rows with `decode`, which is called on the connection's thread and must not
    /// block. What it throws other than a `PostgresError` becomes `undecodable`.
    /// - Parameter holds: Asked on a connection's thread before it is sent there; it must not block. Where it says no, the statement is outdated.
    package func query<Value: Sendable>(
        _ statement: Statement, _ parameters: Parameters, _ effect: Effect, ifStill holds: (@Sendable () -> Bool)? = nil,
        decode: @escaping @Sendable (inout Row) throws -> Value
    ) async throws(PostgresError) -> [Value] {
        try await answer(Query<[Value]>.rows(statement, parameters, effect, ifStill: holds, decode), parameters)
    }

    package func query<each Parameter: PostgresEncodable, Value: Sendable>(
        _ statement: Statement, _ effect: Effect, _ parameter: repeat each Parameter,
        decode: @escaping @Sendable (inout Row) throws -> Value
    ) async throws(PostgresError) -> [Value] {
        try await query(statement, Parameters(repeat each parameter), effect, decode: decode)
    }

    /// Runs a statement for its effect; answers how many rows it touched.
    @discardableResult
    package func execute(_ statement: Statement, _ parameters: Parameters, _ effect: Effect) async throws(PostgresError) -> Int {
        try await answer(Query<Int>.count(statement, parameters, effect), parameters)
    }

    @discardableResult
    package func execute<each Parameter: PostgresEncodable>(
        _ statement: Statement, _ effect: Effect, _ parameter: repeat each Parameter
    ) async throws(PostgresError) -> Int {
        try await execute(statement, Parameters(repeat each parameter), effect)
    }
}
