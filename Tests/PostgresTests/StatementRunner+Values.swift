// Shorthands for queries with one column.

import Postgres

extension PostgresConnection {
    /// Runs a statement and returns the values of its only column.
    func values<Value: PostgresDecodable, each Parameter: PostgresEncodable>(
        of type: Value.Type = Int.self, _ statement: Statement, _ effect: Effect = .reads,
        _ parameter: repeat each Parameter
    ) async throws -> [Value] {
        try await query(statement, effect, repeat each parameter) { row in try row.next(Value.self) }
    }
}

extension PostgresPool {
    /// Runs a statement and returns the values of its only column.
    func values<Value: PostgresDecodable, each Parameter: PostgresEncodable>(
        of type: Value.Type = Int.self, _ statement: Statement, _ effect: Effect = .reads,
        _ parameter: repeat each Parameter
    ) async throws -> [Value] {
        try await query(statement, effect, repeat each parameter) { row in try row.next(Value.self) }
    }
}
