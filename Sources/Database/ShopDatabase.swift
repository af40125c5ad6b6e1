// The shop's database: a connection pool, and the two ways to execute statements. Extensions in other files add the
// statements.
import Logging
import Ordering
import Postgres
import ServiceLifecycle

/// Storage of the shop in PostgreSQL. Runs as a service that keeps the connections open.
package struct ShopDatabase: Service {
    let pool: PostgresPool
    /// Whether sql/distributed was applied: the tables are distributed over several nodes.
    let isDistributed: Bool
    /// Whether statements wait longer for locked rows (LongerLockWait.swift).
    var waitsLonger = false

    /// Creates a pool for this database.
    /// - Parameters:
    ///   - onHealthChange: Called with the result of the first connection and then on every change: nil, or the
    ///     reason for the log. Must not block.
    ///   - onOpen: Called for each connection before it is used. Must not block.
    ///   - onAnswer: Called with the name and the fault of each finished statement.
    package init(
        _ configuration: DatabaseConfiguration, logger: Logger,
        onHealthChange: @escaping @Sendable (_ reason: String?) -> Void = { _ in },
        onOpen: @escaping @Sendable () -> Void = {},
        onAnswer: @escaping @Sendable (_ statement: String, DatabaseFault?) -> Void = { _, _ in }
    ) throws(DatabaseFault) {
        isDistributed = configuration.isDistributed
        do {
            pool = try PostgresPool(
                configuration.pool, logger: logger,
                onHealthChange: { health in
                    switch health {
                    case .healthy: onHealthChange(nil)
                    case .unavailable(let reason): onHealthChange(reason)
                    }
                }, onOpen: onOpen, onAnswer: { onAnswer($0, $1.map(DatabaseFault.init)) })
        } catch {
            throw DatabaseFault(error)
        }
    }

    /// Runs `work` on a separate connection, which is closed afterwards.
    static func onSeparateConnection<Value: Sendable>(
        _ url: String, sessionSettings: [String: String] = [:], statementTimeout: Duration = .seconds(30),
        logger: Logger, _ work: (PostgresConnection) async throws(PostgresError) -> Value
    ) async throws(DatabaseFault) -> Value {
        do {
            return try await PostgresConnection.with(
                url, sessionSettings: sessionSettings, statementTimeout: statementTimeout, logger: logger,
                orThrow: { $0 }, work)
        } catch {
            throw DatabaseFault(error)
        }
    }

    /// Opens the connections and keeps them open.
    package func run() async throws { try await pool.run() }

    /// The usage of the pool: open connections, statements in flight, and statements that wait for a connection.
    package var poolUsage: (openConnections: Int, inFlight: Int, waiting: Int) {
        let use = pool.usage
        return (use.openConnections, use.inFlight, use.waiting)
    }

    /// Runs `body` and its statements on the thread of one connection, which saves thread switches.
    package func onConnection(_ index: Int, _ body: @Sendable () async -> Void) async {
        await pool.onConnection(index, body)
    }

    /// Executes a statement and decodes its rows on the connection's thread.
    /// - Parameter isValid: The precondition; evaluated on the connection's thread before sending. Must not block.
    func query<Value: Sendable>(
        _ statement: Statement, _ parameters: Parameters, _ effect: Effect,
        ifStill isValid: (@Sendable () -> Bool)? = nil, decode: @escaping @Sendable (inout Row) throws -> Value
    ) async throws(DatabaseFault) -> [Value] {
        do { return try await pool.query(statement, parameters, effect, ifStill: isValid, decode: decode) } catch {
            throw DatabaseFault(error)
        }
    }

    /// The same with individual parameters.
    func query<each Parameter: PostgresEncodable, Value: Sendable>(
        _ statement: Statement, _ effect: Effect, _ parameter: repeat each Parameter,
        decode: @escaping @Sendable (inout Row) throws -> Value
    ) async throws(DatabaseFault) -> [Value] {
        try await query(statement, Parameters(repeat each parameter), effect, decode: decode)
    }

    /// Executes a statement without reading rows.
    func execute<each Parameter: PostgresEncodable>(
        _ statement: Statement, _ effect: Effect, _ parameter: repeat each Parameter
    ) async throws(DatabaseFault) {
        do { try await pool.execute(statement, Parameters(repeat each parameter), effect) } catch {
            throw DatabaseFault(error)
        }
    }
}

extension Instant {
    init(_ timestamp: Timestamp) { self.init(microseconds: timestamp.microseconds) }
    var timestamp: Timestamp { Timestamp(microseconds: microseconds) }
}

extension Row {
    /// Reads a currency; a constraint permits only known codes.
    mutating func nextCurrency() throws(PostgresError) -> Currency {
        let code = try next(String.self)
        guard let currency = Currency(code) else { throw .undecodable("\(code) is no currency") }
        return currency
    }

    /// Reads the raw value of an enumeration; a constraint permits only known values.
    mutating func nextRawValue<Word: RawRepresentable<String>>(_: Word.Type = Word.self) throws(PostgresError) -> Word {
        let text = try next(String.self)
        guard let word = Word(rawValue: text) else { throw .undecodable("\(Word.self) has no \(text)") }
        return word
    }
}
