// Some connections to one database, each with its thread, shared by all tasks. Made by the executable, run as a service, used by Database.
// Read next: Connection/PostgresConnection.swift.

import Logging
import ServiceLifecycle

/// Connections to one database that are kept open, reconnected with back-off, and shared by everyone.
public final class PostgresPool: Service, Sendable {
    /// A pool that connects once it runs; statements wait for it until then. `onHealthChange` is told of every change once, and first whether
    /// the first connection succeeded. It is called on a connection's thread and must not block.
    public init(_ configuration: PoolConfiguration, logger: Logger, onHealthChange: @escaping @Sendable (PoolHealth) -> Void = { _ in }) {}

    /// Opens the connections and keeps them open; after a graceful shutdown began it ends once all that was accepted is answered.
    public func run() async throws {}

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
}
