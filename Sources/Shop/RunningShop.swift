// A running shop without its HTTP server: its database, the menu, the queues and the kitchen, in the order in which they start and
// (backwards) stop. Opened by the executable and by tests; Web's application is built on it.
import Database
import Logging
import Metrics
import Ordering
import ServiceLifecycle
import Tracing

/// Everything that a server needs to answer from one database.
package struct RunningShop: Sendable {
    package let menu: CurrentMenu
    package let baskets: BasketQueue
    package let checkouts: CheckoutQueue
    package let kitchen: KitchenLoad
    package let tokens: AccessTokens
    package let orders: GuestOrders
    package let orderWatch: OrderWatch
    package let board: OrderBoard
    package let staff: StaffDesk
    package let replicas: ReadReplicas
    private let ordering: OrderingWatch
    private let database: ShopDatabase
    private let announcements: Announcements

    /// What is told when the database, the menu or the taking of orders fails, and when it is well again; once per change.
    package struct Listeners: Sendable {
        let onDatabase: @Sendable (Health) -> Void
        let onMenu: @Sendable (Health) -> Void
        let onOrdering: @Sendable (Health) -> Void

        /// Listeners that must not block.
        package init(
            onDatabase: @escaping @Sendable (Health) -> Void, onMenu: @escaping @Sendable (Health) -> Void,
            onOrdering: @escaping @Sendable (Health) -> Void
        ) {
            (self.onDatabase, self.onMenu, self.onOrdering) = (onDatabase, onMenu, onOrdering)
        }
    }

    /// The shop on a migrated database. Looks at it first, so the database has to be there.
    package static func open(
        _ configuration: DatabaseConfiguration, replicas: ReplicaConfiguration = ReplicaConfiguration(), shards: Shards = .one,
        listeners: Listeners, metrics: any MetricsFactory = NOOPMetricsHandler.instance, tracer: (any Tracer)? = nil, logger: Logger
    ) async throws(DatabaseFault) -> RunningShop {
        let (isDistributed, tokenSecret) = try await ShopDatabase.firstLook(configuration, logger: logger)
        var configuration = configuration
        configuration.isDistributed = isDistributed
        return try RunningShop(
            configuration, replicas: replicas, shards: shards, tokens: AccessTokens(secret: tokenSecret), listeners: listeners,
            metrics: metrics, tracer: tracer, logger: logger)
    }

    private init(
        _ configuration: DatabaseConfiguration, replicas: ReplicaConfiguration, shards: Shards, tokens: AccessTokens, listeners: Listeners,
        metrics: any MetricsFactory, tracer: (any Tracer)?, logger: Logger
    ) throws(DatabaseFault) {
        let held = HeldBaskets(isUsed: !configuration.isDistributed)
        let ordering = OrderingWatch(configuration, logger: logger, onHealthChange: listeners.onOrdering)
        self.ordering = ordering
        database = try ShopDatabase(
            configuration, logger: logger,
            onHealthChange: { reason in
                // A standby that takes over may lack the newest baskets, and give their versions to others.
                held.forgetAll()
                let health = reason.map(Health.failing) ?? .healthy
                ordering.databaseIs(health)
                listeners.onDatabase(health)
            }, onAnswer: ordering.ended)
        self.replicas = try ReadReplicas(replicas, place: configuration, primary: database, metrics: metrics, logger: logger)
        let moves = RecentMoves(memory: self.replicas.staleness)
        menu = CurrentMenu(database: database, replicas: self.replicas, logger: logger, onHealthChange: listeners.onMenu)
        // A job takes a few statements, of which one may be at its limit. Who has waited for its turn does not wait as long again.
        var (changes, placing) = (BasketQueue.limits(for: shards), QueueLimits(for: shards))
        changes.lifetime = configuration.longestAnswer
        placing.lifetime = changes.lifetime
        baskets = BasketQueue(
            database: database, menu: menu, held: held, limits: changes, shards: shards, metrics: metrics, tracer: tracer)
        checkouts = CheckoutQueue(
            database: database, menu: menu, held: held, limits: placing, shards: shards, metrics: metrics, tracer: tracer, logger: logger)
        kitchen = KitchenLoad(database: database, logger: logger)
        orders = GuestOrders(database: database, replicas: self.replicas, moves: moves)
        orderWatch = OrderWatch(database: database, logger: logger)
        // The facts of that moment, and at most four more statements until the order stands.
        board = OrderBoard(database: database, lateness: configuration.longestAnswer * 5, logger: logger)
        announcements = Announcements(url: configuration.url, listeners: [menu, orderWatch, board, moves], logger: logger)
        var configuration = configuration
        (configuration.connections, configuration.lockTimeout) = (1, StaffDesk.lockTimeout)
        let staffDatabase = try ShopDatabase(
            configuration, logger: logger, onHealthChange: Self.staffAreServed(logger), onAnswer: ordering.ended)
        staff = StaffDesk(database: staffDatabase, menu: menu, replicas: self.replicas, moves: moves)
        self.tokens = tokens
    }

    /// Guests are told of their own connections; that staff have none would otherwise be known to nobody but them.
    private static func staffAreServed(_ logger: Logger) -> @Sendable (String?) -> Void {
        { reason in
            guard let reason else { return }
            logger.warning("staff have no connection to the database", metadata: ["reason": "\(reason)"])
        }
    }

    /// How busy the connections to the database are.
    package var databaseUse: (openConnections: Int, inFlight: Int, waiting: Int) { database.use }

    /// How many connections a server opens to its primary at most: those of its pool, one for staff, one that listens, one that looks whether
    /// orders are taken, one that prunes, and one that applies migrations or that PostgreSQL has not seen to be lost.
    package static func connectionLimit(_ configuration: DatabaseConfiguration) -> Int { configuration.connections + 5 }

    /// What has to run, the first to start first.
    package var services: [any Service] {
        [database, staff.database, replicas, menu, kitchen, orderWatch, board, announcements, ordering, baskets, checkouts]
    }
}
