// Tests whether a guest could order now: executes the statements of an order, without an order, in a new session.
import FoundationEssentials
import Logging
import Ordering
import Postgres

/// The result of an ordering probe.
package enum OrderingProbeResult: Sendable, Hashable {
    /// All statements of an order succeed in a new session.
    case succeeded
    /// A statement fails for every guest.
    case failed(String)
    /// The probe's session was lost or hangs. Whether other sessions fail, too, is unknown.
    case sessionLost(String)
    /// No new session could be opened. The pool reports an unreachable database. A database without a free connection
    /// still serves its open sessions.
    case unknown(String)
    /// No new session could be opened, and no open connection answered in time.
    case unresponsive(String)
}

/// Tests everything that an order needs.
package struct OrderingProbe: Sendable {
    private let configuration: DatabaseConfiguration
    private let logger: Logger
    /// The application name of its sessions; each probe appends a number.
    private static let name = "welms look "
    /// The time limit for opening a session.
    private static let sessionTimeout = Duration.milliseconds(800)
    /// The delay before it queries the open connections: usually the session is open by then.
    private static let fallbackDelay = Duration.milliseconds(200)

    /// Uses new sessions: an open session may have loaded libraries that a new session can no longer load.
    package init(_ configuration: DatabaseConfiguration, logger: Logger) {
        var configuration = configuration
        configuration.connections = 1
        // If no session opens in time, the result is `unknown`. Statements have their own limit.
        configuration.connectionTimeout = Self.sessionTimeout
        configuration.statementTimeout = .seconds(1)
        // Only table locks can block it, because no rows are involved. A table lock blocks every guest, too.
        configuration.lockTimeout = 800
        configuration.sessionName = "\(Self.name)\(UInt32.random(in: .min ... .max))"
        (self.configuration, self.logger) = (configuration, logger)
    }

    /// Runs the probe. With `writes` it also tests disk space and durability.
    package func run(writes: Bool) async -> OrderingProbeResult {
        let database: ShopDatabase
        do { database = try ShopDatabase(configuration, logger: logger) } catch { return .unknown("\(error)") }
        return await withTaskGroup(of: OrderingProbeResult?.self) { group in
            group.addTask {
                try? await database.run()
                return nil
            }
            group.addTask {
                do throws(DatabaseFault) {
                    try await database.executeOrderStatements(writes: writes)
                    return .succeeded
                } catch {
                    if error.kind == .timedOut { await database.terminateSession() }
                    return Self.finding(error)
                }
            }
            var finding: OrderingProbeResult?
            while finding == nil, let next = await group.next() { finding = next }
            group.cancelAll()
            return finding ?? .unknown("the probe did not finish")
        }
    }

    /// Without a new session, also queries the open connections of `database`. A PostgreSQL with stopped processes
    /// accepts connections and answers nothing; a guest's statement would have to time out first.
    package func run(writes: Bool, fallback database: ShopDatabase) async -> OrderingProbeResult {
        async let isAnswered = Self.isAnswered(by: database)
        let finding = await self.run(writes: writes)
        guard case .unknown(let reason) = finding, await !isAnswered else { return finding }
        return .unresponsive("PostgreSQL opens no new session, and the open sessions do not answer: \(reason)")
    }

    private static func isAnswered(by database: ShopDatabase) async -> Bool {
        // The sleep is cancelled if the probe has finished without this answer.
        guard (try? await Task.sleep(for: fallbackDelay)) != nil else { return true }
        return await database.isResponding(within: sessionTimeout - fallbackDelay)
    }

    private static func finding(_ fault: DatabaseFault) -> OrderingProbeResult {
        switch fault.kind {
        case .conflict: .succeeded
        case .rejectedValues, .locked, .readOnly, .database, .undecodable: .failed(fault.descriptionWithRemedy)
        case .timedOut:
            .sessionLost("the statements of an order take more than a second instead of a millisecond: \(fault)")
        case .connectionLost: .sessionLost("the session of the ordering probe was lost: \(fault)")
        case .restarting, .unavailable, .overloaded, .cancelled, .invalidParameter: .unknown("\(fault)")
        }
    }
}

extension ShopDatabase {
    /// Whether PostgreSQL answers a statement over an open connection in time. An error response counts as an answer.
    package func isResponding(within limit: Duration) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                do throws(DatabaseFault) {
                    try await execute(Self.answersStatement, .reads)
                    return true
                } catch {
                    return !error.isConnectivityFailure && error.kind != .cancelled && error.kind != .overloaded
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

    /// The statements that every order needs.
    package static let orderingStatements: Set<String> = [
        "load_plain_facts", "load_checkout_facts", "load_distributed_facts", "load_baskets", "load_distributed_baskets",
        "write_baskets", "place_orders",
    ]
    /// The statements of CurrentMenu, which reports their failures itself.
    package static let menuStatements: Set<String> = ["load_menu", "load_menu_revision"]

    /// Executes the statements of an order from basket to cancellation, for an id that does not exist.
    fileprivate func executeOrderStatements(writes: Bool) async throws(DatabaseFault) {
        let unusedID = BasketID(UUID.zero)
        _ = try await loadBaskets([unusedID])
        _ = try await writeBaskets([], on: unusedID)
        for facts in try await loadCheckoutFacts([CheckoutFactsQuery(basketID: unusedID, coupon: nil)]) {
            _ = try facts.get()
        }
        if case .success(let key?) = CouponKey.parse("-") {
            for facts in try await loadCheckoutFacts([CheckoutFactsQuery(basketID: unusedID, coupon: key)]) {
                _ = try facts.get()
            }
        }
        _ = try await placeOrders([], on: unusedID)
        _ = try await loadHistories([unusedID])
        _ = try await loadOrders([unusedID])
        _ = try await cancelOrder(unusedID)
        if writes { try await execute(Self.tryWritingStatement, .writes) } else { try await waitForStandby() }
    }

    /// Terminates the session of a probe that timed out. Otherwise each probe whose commit waits for a standby leaves
    /// one.
    fileprivate func terminateSession() async { try? await execute(Self.terminateSessionStatement, .writes) }

    private static let terminateSessionStatement = Statement(
        "end_look",
        """
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = current_setting('application_name') and pid <> pg_backend_pid()
        """)
    private static let tryWritingStatement = Statement("try_writing", "select try_writing()")
}
