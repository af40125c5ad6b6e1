// The shop's database: a pool, and the two ways in which every file of this room asks it. One file per thing that is stored adds its
// statements in an extension: Menu/, Baskets/, Checkout/, Orders/, Staff/. Opened by Shop, by OrderingProbe and by tests.
import Logging
import Ordering
import Postgres
import ServiceLifecycle

/// What the shop stores, on PostgreSQL. Run as a service, which keeps its connections open.
package struct ShopDatabase: Service {
    let pool: PostgresPool
    /// Whether sql/distributed was applied: the tables lie on several machines.
    let isDistributed: Bool

    /// The shop at this place.
    /// - Parameters:
    ///   - onHealthChange: Told of every change once, and first whether the first connection succeeded: nil, or why there is none, for the log.
    ///     It must not block.
    ///   - onOpen: Told of each connection before it is used. It must not block either.
    ///   - onAnswer: Told how each statement ended, by its name.
    package init(
        _ configuration: DatabaseConfiguration, logger: Logger, onHealthChange: @escaping @Sendable (_ reason: String?) -> Void = { _ in },
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

    /// Opens the connections and keeps them open.
    package func run() async throws { try await pool.run() }

    /// How busy the connections are: those that are open, the statements that have no answer yet, and those that wait for a connection.
    package var use: (openConnections: Int, inFlight: Int, waiting: Int) {
        let use = pool.use
        return (use.openConnections, use.inFlight, use.waiting)
    }

    /// Runs `body` on the thread of a connection, and its statements over it, which saves a change of threads for each.
    package func onConnection(_ index: Int, _ body: @Sendable () async -> Void) async { await pool.onConnection(index, body) }

    /// Runs a statement and reads each of its rows with `decode`, on the connection's thread.
    /// - Parameter holds: What it was made from; asked on a connection's thread before it is sent there, it must not block.
    func query<Value: Sendable>(
        _ statement: Statement, _ parameters: Parameters, _ effect: Effect, ifStill holds: (@Sendable () -> Bool)? = nil,
        decode: @escaping @Sendable (inout Row) throws -> Value
    ) async throws(DatabaseFault) -> [Value] {
        do { return try await pool.query(statement, parameters, effect, ifStill: holds, decode: decode) } catch {
            throw DatabaseFault(error)
        }
    }

    /// The same with the values given.
    func query<each Parameter: PostgresEncodable, Value: Sendable>(
        _ statement: Statement, _ effect: Effect, _ parameter: repeat each Parameter,
        decode: @escaping @Sendable (inout Row) throws -> Value
    ) async throws(DatabaseFault) -> [Value] {
        try await query(statement, Parameters(repeat each parameter), effect, decode: decode)
    }

    /// Runs a statement with the values given for its effect.
    func execute<each Parameter: PostgresEncodable>(
        _ statement: Statement, _ effect: Effect, _ parameter: repeat each Parameter
    ) async throws(DatabaseFault) {
        do { try await pool.execute(statement, Parameters(repeat each parameter), effect) } catch { throw DatabaseFault(error) }
    }
}

extension Instant {
    init(_ timestamp: Timestamp) { self.init(microseconds: timestamp.microseconds) }
    var timestamp: Timestamp { Timestamp(microseconds: microseconds) }
}

extension Row {
    /// A currency; the schema lets no other into the shop's row.
    mutating func nextCurrency() throws(PostgresError) -> Currency {
        let code = try next(String.self)
        guard let currency = Currency(code) else { throw .undecodable("\(code) is no currency") }
        return currency
    }

    /// A word of an enumeration that a CHECK keeps to.
    mutating func nextWord<Word: RawRepresentable<String>>(_: Word.Type = Word.self) throws(PostgresError) -> Word {
        let text = try next(String.self)
        guard let word = Word(rawValue: text) else { throw .undecodable("\(Word.self) has no \(text)") }
        return word
    }
}
