// Finds out whether a guest could order now, without a guest: does in a new session what an order takes, for nobody.
// Called by OrderingWatch each second or two, and by `welms doctor`. Read next: OrderingEvidence.swift, which judges what it finds.
import FoundationEssentials
import Logging
import Ordering
import Postgres

/// A look at everything that stands between a guest and an order.
struct OrderingLook: Sendable {
    private let configuration: PoolConfiguration
    private let isDistributed: Bool
    private let logger: Logger
    /// What its sessions are called, with a number for each look.
    private static let name = "welms look "

    /// With the sessions of this pool, each of which is a new one: those that are open may have loaded what can't be loaded any more.
    init(_ configuration: PoolConfiguration, isDistributed: Bool, logger: Logger) {
        var configuration = configuration
        configuration.connections = 1
        // A session that can't be had in time says nothing; what is done in it has its own time.
        configuration.waitForConnection = .milliseconds(800)
        configuration.statementTimeout = .seconds(1)
        // Only tables are ever waited for: with no order there is no row. Who changes one holds up every guest as well.
        configuration.connection.sessionSettings["lock_timeout"] = "800"
        configuration.connection.sessionSettings["application_name"] = "\(Self.name)\(UInt32.random(in: .min ... .max))"
        (self.configuration, self.isDistributed, self.logger) = (configuration, isDistributed, logger)
    }

    /// `writes`: also whether there is room for what is written, and whether it is kept.
    func look(writes: Bool) async -> OrderingFinding {
        let pool: PostgresPool
        do { pool = try PostgresPool(configuration, logger: logger) } catch { return .unknown("\(error)") }
        let database = ShopDatabase(pool: pool, isDistributed: isDistributed)
        return await withTaskGroup(of: OrderingFinding?.self) { group in
            group.addTask {
                try? await pool.run()
                return nil
            }
            group.addTask {
                do throws(PostgresError) {
                    try await database.orderNothing(writes: writes)
                    return .works
                } catch {
                    if case .timedOut = error { await database.endLook() }
                    return Self.finding(error)
                }
            }
            var finding: OrderingFinding?
            while finding == nil, let next = await group.next() { finding = next }
            group.cancelAll()
            return finding ?? .unknown("it did not look")
        }
    }

    private static func finding(_ error: PostgresError) -> OrderingFinding {
        switch error {
        case .server(let refusal) where refusal.cause == .absence && refusal.sqlState != "25006": .unknown("\(error)")
        case .server(let refusal) where refusal.cause == .race: .works
        case .server, .undecodable: .fails(error.withRemedy)
        case .timedOut: .lost("what takes a millisecond takes more than a second: \(error)")
        case .connectionLost: .lost("a session that looks whether orders are taken is lost: \(error)")
        case .unavailable, .overloaded, .cancelled, .invalidParameter: .unknown("\(error)")
        }
    }
}

extension ShopDatabase {
    /// The statements that each guest who orders needs.
    static let orderingStatements: Set<String> = [
        "load_plain_facts", "load_checkout_facts", "load_distributed_facts", "load_baskets", "load_distributed_baskets", "write_baskets",
        "place_orders",
    ]
    /// What CurrentMenu reads, and tells of itself.
    static let menuStatements: Set<String> = ["load_menu", "load_menu_revision"]

    /// All that an order takes, from its basket to its cancellation, by the statements that do it, for an order that nobody has.
    fileprivate func orderNothing(writes: Bool) async throws(PostgresError) {
        let nobody = BasketID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
        _ = try await loadBaskets([nobody])
        _ = try await writeBaskets([], on: nobody)
        for facts in try await loadCheckoutFacts([FactsQuestion(basketID: nobody, coupon: nil)]) { _ = try facts.get() }
        if case .success(let key?) = CouponKey.parse("-") {
            for facts in try await loadCheckoutFacts([FactsQuestion(basketID: nobody, coupon: key)]) { _ = try facts.get() }
        }
        _ = try await placeOrders([], on: nobody)
        _ = try await loadHistories([nobody])
        _ = try await loadOrders([nobody])
        _ = try await cancelOrder(nobody)
        if writes { try await pool.execute(Self.tryWritingStatement, Parameters(), .writes) } else { try await waitForStandby() }
    }

    /// Ends the session that a look has given up: one whose commit waits for a standby would wait on, and each look would leave one more.
    fileprivate func endLook() async {
        _ = try? await pool.execute(Self.endLookStatement, Parameters(), .writes)
    }

    private static let endLookStatement = Statement(
        "end_look",
        """
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = current_setting('application_name') and pid <> pg_backend_pid()
        """)
    private static let tryWritingStatement = Statement("try_writing", "select try_writing()")
}
