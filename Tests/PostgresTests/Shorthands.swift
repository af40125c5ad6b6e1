// Queries of one column, as short as tests want them. Used by all the tests beside this file.

import Postgres

extension PostgresConnection {
    func values<Value: PostgresDecodable, each Parameter: PostgresEncodable>(
        of type: Value.Type = Int.self, _ statement: Statement, _ effect: Effect = .reads, _ parameter: repeat each Parameter
    ) async throws -> [Value] {
        try await query(statement, effect, repeat each parameter) { row in try row.next(Value.self) }
    }
}

extension PostgresPool {
    func values<Value: PostgresDecodable, each Parameter: PostgresEncodable>(
        of type: Value.Type = Int.self, _ statement: Statement, _ effect: Effect = .reads, _ parameter: repeat each Parameter
    ) async throws -> [Value] {
        try await query(statement, effect, repeat each parameter) { row in try row.next(Value.self) }
    }
}
