// A running shop without its HTTP server: the database, the menu, the queues and all background services.
import Database
import Logging
import Metrics
import Ordering
import Photographs
import ServiceLifecycle
import Tracing

/// All components that a server needs to serve one database.
package struct RunningShop: Sendable {
    /// The current menu.
    package let menu: CurrentMenu
    /// Creates and changes baskets.
    package let baskets: BasketQueue
    /// Places orders.
    package let checkouts: CheckoutQueue
    /// How busy the kitchen is.
    package let kitchen: KitchenLoad
    /// The times for which guests can order.
    package let times: ShopTimes
    /// The order tokens.
    package let tokens: AccessTokens
    /// Loads and cancels orders for guests.
    package let orders: GuestOrders
    /// Publishes the steps of orders to guests.
    package let orderPublisher: OrderPublisher
    /// Publishes new and changed orders to staff.
    package let board: OrderBoard
    /// The actions of staff.
    package let staff: StaffOperations
    /// The members of staff and their tokens.
    package let members: StaffAuthenticator
    /// The read replicas.
    package let replicas: ReadReplicas
    /// Sends mails to guests; nil if mail is not configured.
    package let mailer: OrderMailer?
    private let acceptance: AcceptanceTimer
    private let numbering: DayNumbering
    /// The order numbers that were drawn in advance.
    let orderNumbers: OrderNumberRange
    private let orderNumberService: OrderNumberService
    private let pendingSteps: PendingStepExecutor
    let locked: LockedRows
    /// The old snapshots of other sessions.
    package let snapshots: SnapshotMonitor
    private let ordering: OrderingMonitor
    private let database: ShopDatabase
    private let announcements: NotificationListener

    /// The callbacks that report the health of the shop's components, once per change.
    package struct HealthCallbacks: Sendable {
        let onDatabase: @Sendable (ComponentHealth) -> Void
        let onMenu: @Sendable (ComponentHealth) -> Void
        let onOrdering: @Sendable (ComponentHealth) -> Void
        let onMail: @Sendable (ComponentHealth) -> Void
        let onAcceptance: @Sendable (ComponentHealth) -> Void
        let onLockedRows: @Sendable (ComponentHealth) -> Void

        /// Makes callbacks, which must not block.
        package init(
            onDatabase: @escaping @Sendable (ComponentHealth) -> Void,
            onMenu: @escaping @Sendable (ComponentHealth) -> Void,
            onOrdering: @escaping @Sendable (ComponentHealth) -> Void,
            onMail: @escaping @Sendable (ComponentHealth) -> Void = { _ in },
            onAcceptance: @escaping @Sendable (ComponentHealth) -> Void = { _ in },
            onLockedRows: @escaping @Sendable (ComponentHealth) -> Void = { _ in }
        ) {
            (self.onDatabase, self.onMenu, self.onOrdering, self.onMail) = (onDatabase, onMenu, onOrdering, onMail)
            (self.onAcceptance, self.onLockedRows) = (onAcceptance, onLockedRows)
        }
    }

    /// Opens the shop on a migrated database, which has to be reachable.
    package static func open(
        _ configuration: DatabaseConfiguration, replicas: ReplicaConfiguration = ReplicaConfiguration(),
        shards: Shards = .single,
        mail: MailConfiguration? = nil, healthCallbacks: HealthCallbacks, studio: PhotoProcessor = PhotoProcessor(),
        metrics: any MetricsFactory = NOOPMetricsHandler.instance,
        tracer: (any Tracer)? = nil, logger: Logger
    ) async throws(DatabaseFault) -> RunningShop {
        let (isDistributed, tokenSecret) = try await ShopDatabase.loadStartupFacts(configuration, logger: logger)
        var configuration = configuration
        configuration.isDistributed = isDistributed
        // Written before the first orders, so that checkouts can draw order numbers. A failed write is repeated each
        // second.
        do throws(DatabaseFault) { try await ShopDatabase.writeDayNumbers(configuration, logger: logger) } catch {
            logger.debug("the rows of order numbers can't be written", metadata: ["reason": "\(error)"])
        }
        return try RunningShop(
            configuration, replicas: replicas, shards: shards, mail: mail, tokens: AccessTokens(secret: tokenSecret),
            healthCallbacks: healthCallbacks,
            studio: studio, metrics: metrics, tracer: tracer, logger: logger)
    }

    private init(
        _ configuration: DatabaseConfiguration, replicas: ReplicaConfiguration, shards: Shards,
        mail: MailConfiguration?,
        tokens: AccessTokens,
        healthCallbacks: HealthCallbacks, studio: PhotoProcessor, metrics: any MetricsFactory, tracer: (any Tracer)?,
        logger: Logger
    ) throws(DatabaseFault) {
        let basketCache = BasketCache(isUsed: !configuration.isDistributed)
        let orderNumbers = OrderNumberRange()
        self.orderNumbers = orderNumbers
        let ordering = OrderingMonitor(configuration, logger: logger, onHealthChange: healthCallbacks.onOrdering)
        self.ordering = ordering
        database = try ShopDatabase(
            configuration, logger: logger,
            onHealthChange: { reason in
                basketCache.removeAll()
                let health = reason.map(ComponentHealth.failing) ?? .healthy
                ordering.databaseHealthChanged(health)
                healthCallbacks.onDatabase(health)
            },
            // A new connection may lead to a promoted standby that lacks the newest baskets and reuses their versions.
            // So cached baskets, and late results of old connections, are no longer valid. The same is true for drawn
            // order numbers.
            onOpen: {
                basketCache.removeAll()
                orderNumbers.removeAll()
            }, onAnswer: ordering.statementEnded)
        orderNumberService = OrderNumberService(range: orderNumbers, database: database, logger: logger)
        self.replicas = try ReadReplicas(
            replicas, primaryConfiguration: configuration, primary: database, metrics: metrics, logger: logger)
        let moves = RecentlyChangedOrders(memory: self.replicas.staleness)
        menu = CurrentMenu(
            database: database, replicas: self.replicas, logger: logger, onHealthChange: healthCallbacks.onMenu)
        locked = LockedRows(database: database, onHealthChange: healthCallbacks.onLockedRows)
        // A job runs a few statements, and one of them may take as long as the timeout. The limit includes its waiting
        // time.
        var (basketLimits, checkoutLimits) = (BasketQueue.limits(for: shards), QueueLimits(for: shards))
        basketLimits.lifetime = configuration.maximumResponseTime
        checkoutLimits.lifetime = basketLimits.lifetime
        baskets = BasketQueue(
            database: database, menu: menu, cache: basketCache, limits: basketLimits, shards: shards, metrics: metrics,
            tracer: tracer)
        snapshots = SnapshotMonitor(database: database, logger: logger)
        kitchen = KitchenLoad(database: database, logger: logger)
        checkouts = CheckoutQueue(
            database: database, menu: menu, cache: basketCache, numbers: orderNumbers, locked: locked,
            kitchen: kitchen, limits: checkoutLimits, shards: shards, metrics: metrics, tracer: tracer, logger: logger)
        times = ShopTimes(database: database, menu: menu, baskets: baskets, kitchen: kitchen)
        orders = GuestOrders(
            database: database, replicas: self.replicas, moves: moves,
            cancellations: CancellationQueue(database: database, locked: locked, metrics: metrics))
        orderPublisher = OrderPublisher(database: database, logger: logger)
        // At most five statements until the order is committed: the facts and four more.
        let lateness = configuration.maximumResponseTime * 5
        members = StaffAuthenticator(database: database)
        board = OrderBoard(database: database, lateness: lateness, logger: logger)
        let (url, database, menu) = (configuration.url, database, menu)
        mailer = mail.map {
            OrderMailer(
                $0, url: url, database: database, menu: menu, lateness: lateness, metrics: metrics, logger: logger,
                onHealthChange: healthCallbacks.onMail)
        }
        let observers: [any NotificationObserver] = [menu, orderPublisher, board, moves, members]
        let place = configuration.url
        var configuration = configuration
        (configuration.connections, configuration.lockTimeout) = (1, StaffOperations.lockTimeout)
        let staffDatabase = try ShopDatabase(
            configuration, logger: logger, onHealthChange: Self.poolObserver("staff have", logger),
            onAnswer: ordering.statementEnded)
        acceptance = AcceptanceTimer(
            database: try ShopDatabase(
                configuration, logger: logger, onHealthChange: Self.poolObserver("the acceptance timer has", logger),
                onAnswer: ordering.statementEnded),
            menu: menu, locked: locked, logger: logger, onHealthChange: healthCallbacks.onAcceptance)
        numbering = DayNumbering(database: self.database, staffDatabase: staffDatabase, logger: logger)
        pendingSteps = PendingStepExecutor(database: staffDatabase, locked: locked, moves: moves, logger: logger)
        announcements = NotificationListener(url: place, listeners: observers, logger: logger)
        staff = StaffOperations(
            database: staffDatabase, menu: menu, replicas: self.replicas, moves: moves, locked: locked,
            photoProcessor: studio)
        self.tokens = tokens
    }

    /// Logs that the user of a pool has no connection, which no health check reports.
    private static func poolObserver(_ user: String, _ logger: Logger) -> @Sendable (String?) -> Void {
        { reason in
            guard let reason else { return }
            logger.warning("\(user) no connection to the database", metadata: ["reason": "\(reason)"])
        }
    }

    /// How busy the connection pool is.
    package var databaseUse: (openConnections: Int, inFlight: Int, waiting: Int) { database.poolUsage }

    func loadPhotograph(_ digest: String, width: Int, format: PhotographFormat) async throws(DatabaseFault) -> [UInt8]?
    {
        try await database.loadPhotograph(digest, width: width, format: format)
    }

    /// The number of connections that a server opens to its primary. In addition to the pool: one each for staff, the
    /// acceptance timer, notifications, the ordering check, pruning and mails. One more is reserved for migrations or
    /// for a connection whose loss PostgreSQL has not noticed.
    package static func connectionLimit(_ configuration: DatabaseConfiguration, mails: Bool = false) -> Int {
        configuration.connections + (mails ? 7 : 6)
    }

    /// The services, in the order in which they start.
    package var services: [any Service] {
        let mail: [any Service] = mailer.map { [$0] } ?? []
        let ordering = OrderingMonitorService(monitor: self.ordering, database: database)
        let watches: [any Service] = [
            menu, kitchen, orderPublisher, board, members, acceptance, numbering, orderNumberService, pendingSteps,
            announcements, ordering, locked, snapshots,
        ]
        return [database, staff.database, acceptance.database, replicas] + watches + mail
            + [baskets, checkouts, orders.cancellations]
    }
}
