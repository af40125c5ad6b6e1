// Finds out whether a guest could order now, without a guest: does in a new session what an order takes, for nobody.
// Called by Shop's OrderingWatch each second or two, and by `welms doctor`; OrderingEvidence there judges what it finds.
import FoundationEssentials
import Logging
import Ordering
import Postgres

package enum OrderingFinding: Sendable, Hashable {
    /// All that an order takes works, in a new session.
    case works
    /// It does not, whatever guests do.
    case fails(String)
    /// Its session was lost in the middle, or stands still: bad luck, or what becomes of all of them.
    case lost(String)
    /// There was no session to look with. The pool tells of a database that is away, and one that takes no more sessions serves those it has.
    case unknown(String)
    /// There was no session to look with, and none of the open connections gave an answer in that time.
    case silent(String)
}

/// A look at everything that stands between a guest and an order.
package struct OrderingProbe: Sendable {
    private let configuration: DatabaseConfiguration
    private let logger: Logger
    /// What its sessions are called, with a number for each look.
    private static let name = "welms look "
    /// How long it waits for its session.
    private static let waitForSession = Duration.milliseconds(800)
    /// How long it waits before it asks the open connections: mostly it has a session by then.
    private static let waitBeforeAsking = Duration.milliseconds(200)

    /// With a new session each: those that are open may have loaded what can't be loaded any more.
    package init(_ configuration: DatabaseConfiguration, logger: Logger) {
        var configuration = configuration
        configuration.connections = 1
        // A session that can't be had in time says nothing; what is done in it has its own time.
        configuration.waitForConnection = Self.waitForSession
        configuration.statementTimeout = .seconds(1)
        // Only tables are ever waited for: with no order there is no row. Who changes one holds up every guest as well.
        configuration.lockTimeout = 800
        configuration.sessionName = "\(Self.name)\(UInt32.random(in: .min ... .max))"
        (self.configuration, self.logger) = (configuration, logger)
    }

    /// `writes`: also whether there is room for what is written, and whether it is kept.
    package func finding(writes: Bool) async -> OrderingFinding {
        let database: ShopDatabase
        do { database = try ShopDatabase(configuration, logger: logger) } catch { return .unknown("\(error)") }
        return await withTaskGroup(of: OrderingFinding?.self) { group in
            group.addTask {
                try? await database.run()
                return nil
            }
            group.addTask {
                do throws(DatabaseFault) {
                    try await database.orderNothing(writes: writes)
                    return .works
                } catch {
                    if error.kind == .timedOut { await database.endLook() }
                    return Self.finding(error)
                }
            }
            var finding: OrderingFinding?
            while finding == nil, let next = await group.next() { finding = next }
            group.cancelAll()
            return finding ?? .unknown("it did not look")
        }
    }

    /// The same; without a new session it asks a database's open connections too. A PostgreSQL whose processes are
    /// stopped accepts connections and answers nothing, and without this a statement would have to time out first.
    package func finding(writes: Bool, asking database: ShopDatabase) async -> OrderingFinding {
        async let isAnswered = Self.isAnswered(by: database)
        let finding = await self.finding(writes: writes)
        guard case .unknown(let reason) = finding, await !isAnswered else { return finding }
        return .silent("PostgreSQL gives neither a new session nor an answer over the open ones: \(reason)")
    }

    private static func isAnswered(by database: ShopDatabase) async -> Bool {
        // Cancelled: the look has its session.
        guard (try? await Task.sleep(for: waitBeforeAsking)) != nil else { return true }
        return await database.answers(within: waitForSession - waitBeforeAsking)
    }

    private static func finding(_ fault: DatabaseFault) -> OrderingFinding {
        switch fault.kind {
        case .race: .works
        case .values, .locked, .readOnly, .database, .undecodable: .fails(fault.withRemedy)
        case .timedOut: .lost("what takes a millisecond takes more than a second: \(fault)")
        case .connectionLost: .lost("a session that looks whether orders are taken is lost: \(fault)")
        case .restarting, .unavailable, .overloaded, .cancelled, .invalidParameter: .unknown("\(fault)")
        }
    }
}

extension ShopDatabase {
    /// Whether PostgreSQL answers a statement over one of the open connections in time. A refusal is an answer too.
    package func answers(within limit: Duration) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                do throws(DatabaseFault) {
                    try await execute(Self.answersStatement, .reads)
                    return true
                } catch {
                    return !error.isAbsence && error.kind != .cancelled && error.kind != .overloaded
                }
            }
            group.addTask {
                try? await Task.sleep(for: limit)
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }

    private static let answersStatement = Statement("answers", "select")

    /// The statements that each guest who orders needs.
    package static let orderingStatements: Set<String> = [
        "load_plain_facts", "load_checkout_facts", "load_distributed_facts", "load_baskets", "load_distributed_baskets", "write_baskets",
        "place_orders",
    ]
    /// What CurrentMenu reads, and tells of itself.
    package static let menuStatements: Set<String> = ["load_menu", "load_menu_revision"]

    /// All that an order takes, from its basket to its cancellation, by the statements that do it, for an order that nobody has.
    fileprivate func orderNothing(writes: Bool) async throws(DatabaseFault) {
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
        if writes { try await execute(Self.tryWritingStatement, .writes) } else { try await waitForStandby() }
    }

    /// Ends the session that a look has given up: one whose commit waits for a standby would wait on, and each look would leave one more.
    fileprivate func endLook() async { try? await execute(Self.endLookStatement, .writes) }

    private static let endLookStatement = Statement(
        "end_look",
        """
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = current_setting('application_name') and pid <> pg_backend_pid()
        """)
    private static let tryWritingStatement = Statement("try_writing", "select try_writing()")
}
