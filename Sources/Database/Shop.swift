// A running shop without its HTTP server: the pool, the menu, the queues and the kitchen on one database, in the order in which
// they start and (backwards) stop. Opened by the executable and by tests; Web's application is built on it.
import Logging
import Metrics
import Ordering
import Postgres
import ServiceLifecycle
import Tracing

/// Everything that a server needs to answer from one database.
package struct Shop: Sendable {
    /// The statements that need no queue.
    package let database: ShopDatabase
    /// The menu this server holds.
    package let menu: CurrentMenu
    /// Where baskets are made and changed.
    package let baskets: BasketQueue
    /// Where checkouts are decided and placed.
    package let checkouts: CheckoutQueue
    /// The delivery time.
    package let kitchen: KitchenLoad
    /// The tokens that show a guest's details.
    package let tokens: AccessTokens
    /// Those who follow an order.
    package let orders: OrderWatch
    /// Those who watch all orders.
    package let board: OrderBoard
    /// The statements of staff, over a connection of its own: a report over a busy day takes a second, and no checkout waits behind it.
    package let office: ShopDatabase
    /// The standbys that take reads from the primary.
    package let replicas: ReadReplicas
    let moves: RecentMoves
    private let ordering: OrderingWatch
    private let pool: PostgresPool
    private let officePool: PostgresPool
    private let announcements: Announcements

    /// What is told when the database, the menu or the taking of orders fails, and when it is well again; once per change.
    package struct Listeners: Sendable {
        let onDatabase: @Sendable (PoolHealth) -> Void
        let onMenu: @Sendable (MenuHealth) -> Void
        let onOrdering: @Sendable (OrderingHealth) -> Void

        /// Listeners that must not block.
        package init(
            onDatabase: @escaping @Sendable (PoolHealth) -> Void, onMenu: @escaping @Sendable (MenuHealth) -> Void,
            onOrdering: @escaping @Sendable (OrderingHealth) -> Void
        ) {
            (self.onDatabase, self.onMenu, self.onOrdering) = (onDatabase, onMenu, onOrdering)
        }
    }

    /// The shop on a migrated database. Reads the shop's secret over a connection of its own, so the database has to be there.
    package static func open(
        _ configuration: PoolConfiguration, replicas: ReplicaConfiguration = ReplicaConfiguration(), shards: Shards = .one,
        listeners: Listeners, metrics: any MetricsFactory = NOOPMetricsHandler.instance, tracer: (any Tracer)? = nil, logger: Logger
    ) async throws(PostgresError) -> Shop {
        let connection = try await PostgresConnection.connect(
            configuration.connection.url, statementTimeout: configuration.statementTimeout, logger: logger)
        let tokens: AccessTokens
        let isDistributed: Bool
        do {
            tokens = try await AccessTokens.load(over: connection)
            isDistributed = try await ShopDatabase.isDistributed(over: connection)
            await connection.close()
        } catch {
            await connection.close()
            throw error
        }
        return try Shop(
            configuration, replicas: replicas, shards: shards, isDistributed: isDistributed, tokens: tokens, listeners: listeners,
            metrics: metrics, tracer: tracer, logger: logger)
    }

    private init(
        _ configuration: PoolConfiguration, replicas: ReplicaConfiguration, shards: Shards, isDistributed: Bool, tokens: AccessTokens,
        listeners: Listeners,
        metrics: any MetricsFactory, tracer: (any Tracer)?, logger: Logger
    ) throws(PostgresError) {
        var configuration = configuration
        configuration.connection.sessionSettings.merge(ShopDatabase.sessionSettings) { own, _ in own }
        // Which machine a statement is for depends on its values, so its plan does too.
        if isDistributed { configuration.connection.sessionSettings["plan_cache_mode"] = "force_custom_plan" }
        let held = HeldBaskets(isUsed: !isDistributed)
        let ordering = OrderingWatch(
            configuration, isDistributed: isDistributed, logger: logger, onHealthChange: listeners.onOrdering)
        self.ordering = ordering
        pool = try PostgresPool(
            configuration, logger: logger,
            onHealthChange: { health in
                // A standby that takes over may lack the newest baskets, and give their versions to others.
                held.forgetAll()
                ordering.databaseIs(health)
                listeners.onDatabase(health)
            }, onAnswer: ordering.ended)
        database = ShopDatabase(pool: pool, isDistributed: isDistributed)
        self.replicas = try ReadReplicas(replicas, pool: configuration, primary: database, metrics: metrics, logger: logger)
        moves = RecentMoves(memory: self.replicas.staleness)
        menu = CurrentMenu(database: database, replicas: self.replicas, logger: logger, onHealthChange: listeners.onMenu)
        // A job takes a few statements, of which one may be at its limit. Who has waited for its turn does not wait as long again.
        var (changes, placing) = (BasketQueue.limits(for: shards), QueueLimits(for: shards))
        changes.lifetime = configuration.answerLimit
        placing.lifetime = changes.lifetime
        baskets = BasketQueue(
            database: database, menu: menu, held: held, limits: changes, shards: shards, metrics: metrics, tracer: tracer)
        checkouts = CheckoutQueue(
            database: database, menu: menu, held: held, limits: placing, shards: shards, metrics: metrics, tracer: tracer, logger: logger)
        kitchen = KitchenLoad(database: database, logger: logger)
        orders = OrderWatch(database: database, logger: logger)
        // The facts of that moment, and at most four more statements until the order stands.
        board = OrderBoard(database: database, lateness: configuration.answerLimit * 5, logger: logger)
        announcements = Announcements(url: configuration.connection.url, listeners: [menu, orders, board, moves], logger: logger)
        configuration.connections = 1
        configuration.connection.sessionSettings["lock_timeout"] = Self.staffLockTimeout
        officePool = try PostgresPool(configuration, logger: logger, onHealthChange: Self.officeIs(logger), onAnswer: ordering.ended)
        office = ShopDatabase(pool: officePool, isDistributed: isDistributed)
        self.tokens = tokens
    }

    /// Guests are told of their own connections; that staff have none would otherwise be known to nobody but them.
    private static func officeIs(_ logger: Logger) -> @Sendable (PoolHealth) -> Void {
        { health in
            guard case .unavailable(let reason) = health else { return }
            logger.warning("staff have no connection to the database", metadata: ["reason": "\(reason)"])
        }
    }

    /// How busy the connections to the database are.
    package var poolUse: PoolUse { pool.use }

    /// How many connections a server opens to its primary at most: those of its pool, one for staff, one that listens, one that looks whether
    /// orders are taken, one that prunes, and one that applies migrations or that PostgreSQL has not seen to be lost.
    package static func connectionLimit(_ configuration: PoolConfiguration) -> Int { configuration.connections + 5 }

    /// What has to run, the first to start first.
    package var services: [any Service] {
        [pool, officePool, replicas, menu, kitchen, orders, board, announcements, ordering, baskets, checkouts]
    }
}
