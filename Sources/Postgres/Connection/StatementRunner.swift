// Runs statements on a pool or on a single connection.

/// Runs statements: a PostgresPool or a PostgresConnection.
package protocol StatementRunner: Sendable {
    /// Submits a query and waits for its result. Throws the error of invalid parameters before anything is sent.
    func perform<Output>(_ query: Query<Output>, _ parameters: Parameters) async throws(PostgresError) -> Output
}

extension StatementRunner {
    /// Runs a statement and decodes each row. `decode` is called on the connection's thread and must not block. Its
    /// errors, other than `PostgresError`, become `undecodable`.
    /// - Parameter isStillValid: Called on the connection's thread before sending; must not block. False: fails as
    ///   outdated.
    package func query<Value: Sendable>(
        _ statement: Statement, _ parameters: Parameters, _ effect: Effect,
        ifStill isStillValid: (@Sendable () -> Bool)? = nil,
        decode: @escaping @Sendable (inout Row) throws -> Value
    ) async throws(PostgresError) -> [Value] {
        try await perform(Query<[Value]>.rows(statement, parameters, effect, ifStill: isStillValid, decode), parameters)
    }

    /// Runs a statement with individual parameters and decodes each row.
    package func query<each Parameter: PostgresEncodable, Value: Sendable>(
        _ statement: Statement, _ effect: Effect, _ parameter: repeat each Parameter,
        decode: @escaping @Sendable (inout Row) throws -> Value
    ) async throws(PostgresError) -> [Value] {
        try await query(statement, Parameters(repeat each parameter), effect, decode: decode)
    }

    /// Runs a statement and returns the number of affected rows.
    @discardableResult
    package func execute(_ statement: Statement, _ parameters: Parameters, _ effect: Effect) async throws(PostgresError)
        -> Int
    {
        try await perform(Query<Int>.count(statement, parameters, effect), parameters)
    }

    /// Runs a statement with individual parameters and returns the number of affected rows.
    @discardableResult
    package func execute<each Parameter: PostgresEncodable>(
        _ statement: Statement, _ effect: Effect, _ parameter: repeat each Parameter
    ) async throws(PostgresError) -> Int {
        try await execute(statement, Parameters(repeat each parameter), effect)
    }
}
