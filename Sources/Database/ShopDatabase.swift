// The shop's database: the pool and what every file of this room needs. One file per thing that is stored adds its statements
// in an extension: Menu/, Baskets/, Checkout/, Orders/. Made by the executable; used by Web and by the two queues.
import Crypto
import Logging
import Ordering
import Postgres
import ServiceLifecycle

/// What the shop stores, on PostgreSQL.
package struct ShopDatabase: Sendable {
    let pool: PostgresPool
    /// Whether sql/distributed was applied: the tables lie on several machines.
    let isDistributed: Bool

    /// The shop on `pool`, whose connections should have `sessionSettings`.
    package init(pool: PostgresPool, isDistributed: Bool = false) {
        (self.pool, self.isDistributed) = (pool, isDistributed)
    }

    /// What every connection of the pool sets. All statements here look rows up by key, so the plan for an empty table has to be
    /// the plan for a million rows: left to itself, PostgreSQL plans a scan of the table while that is empty, and the connection
    /// keeps the plan (checkout fell from 13,000 to 1,800 a second on a fresh install).
    package static let sessionSettings = [
        "application_name": "welms",
        "timezone": "UTC",
        // place_orders counts on a fresh snapshot for each of its statements, whatever is the database's default.
        "default_transaction_isolation": "read committed",
        "jit": "off",
        "enable_seqscan": "off",
        "enable_hashjoin": "off",
        "enable_mergejoin": "off",
        "plan_cache_mode": "force_generic_plan",
    ]
}

extension Instant {
    init(_ timestamp: Timestamp) { self.init(microseconds: timestamp.microseconds) }
    var timestamp: Timestamp { Timestamp(microseconds: microseconds) }
}

extension Row {
    /// An amount; the schema keeps them in range, so another number is a fault of the database.
    mutating func nextMoney() throws(PostgresError) -> Money {
        let minorUnits = try next(Int64.self)
        guard let money = Money(minorUnits: minorUnits) else { throw .undecodable("\(minorUnits) is no amount of money") }
        return money
    }

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

extension ShopDatabase {
    /// Whether the shop was spread over the machines of a Citus cluster, with sql/distributed.
    static func isDistributed(over connection: PostgresConnection) async throws(PostgresError) -> Bool {
        let found = try await connection.query(Self.isDistributedStatement, .reads) { row throws(PostgresError) in try row.next(Bool.self) }
        return found.first ?? false
    }

    private static let isDistributedStatement = Statement(
        "is_distributed", "select to_regprocedure('load_checkout_facts(uuid[], text[], text[], text[], text[], text[])') is not null")
}

extension PostgresError {
    /// Whether a row that somebody holds was waited for as long as `lock_timeout` lets the statement wait.
    var isHeldRow: Bool {
        if case .server(let error) = self { error.cause == .heldRow } else { false }
    }
}

extension ServerError {
    /// The constraint that was broken, by the name that the schema gives it.
    var rule: String? { constraint.map(Self.rule) }

    /// Without what Citus hangs on the names of a shard's constraints: `order_total_adds_up_102008`. Shards count from 102008 on.
    static func rule(_ constraint: String) -> String {
        guard let underscore = constraint.lastIndex(of: "_"), underscore > constraint.startIndex else { return constraint }
        let digits = constraint[constraint.index(after: underscore)...].utf8
        return digits.count >= 6 && digits.allSatisfy { (0x30...0x39).contains($0) } ? String(constraint[..<underscore]) : constraint
    }
}
