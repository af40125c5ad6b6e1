// A running shop without its HTTP server: its database, the menu, the queues and the kitchen, in the order in which they start and
// (backwards) stop. Opened by the executable and by tests; Web's application is built on it.
import Database
import Logging
import Metrics
import Ordering
import Photographs
import ServiceLifecycle
import Tracing

/// Everything that a server needs to answer from one database.
package struct RunningShop: Sendable {
    package let menu: CurrentMenu
    package let baskets: BasketQueue
    package let checkouts: CheckoutQueue
    package let kitchen: KitchenLoad
    package let times: ShopTimes
    package let tokens: AccessTokens
    package let orders: GuestOrders
    package let orderWatch: OrderWatch
    package let board: OrderBoard
    package let staff: StaffDesk
    package let members: StaffMembers
    package let replicas: ReadReplicas
    /// Nil where no mail is set up.
    package let mailer: OrderMailer?
    private let acceptance: AcceptanceWatch
    private let numbering: DayNumbering
    private let pendingSteps: PendingStepExecutor
    let locked: LockedRows
    private let ordering: OrderingWatch
    private let database: ShopDatabase
    private let announcements: Announcements

    /// What is told when the database, the menu, the taking of orders, the mail or what waits to be accepted fails, or staff hold what guests
    /// want, and when it is well again; once per change.
    package struct Listeners: Sendable {
        let onDatabase: @Sendable (Health) -> Void
        let onMenu: @Sendable (Health) -> Void
        let onOrdering: @Sendable (Health) -> Void
        let onMail: @Sendable (Health) -> Void
        let onAcceptance: @Sendable (Health) -> Void
        let onLockedRows: @Sendable (Health) -> Void

        /// Listeners that must not block.
        package init(
            onDatabase: @escaping @Sendable (Health) -> Void, onMenu: @escaping @Sendable (Health) -> Void,
            onOrdering: @escaping @Sendable (Health) -> Void, onMail: @escaping @Sendable (Health) -> Void = { _ in },
            onAcceptance: @escaping @Sendable (Health) -> Void = { _ in }, onLockedRows: @escaping @Sendable (Health) -> Void = { _ in }
        ) {
            (self.onDatabase, self.onMenu, self.onOrdering, self.onMail) = (onDatabase, onMenu, onOrdering, onMail)
            (self.onAcceptance, self.onLockedRows) = (onAcceptance, onLockedRows)
        }
    }

    /// The shop on a migrated database. Looks at it first, so the database has to be there.
    package static func open(
        _ configuration: DatabaseConfiguration, replicas: ReplicaConfiguration = ReplicaConfiguration(), shards: Shards = .one,
        mail: MailConfiguration? = nil, listeners: Listeners, studio: PhotoStudio = PhotoStudio(),
        metrics: any MetricsFactory = NOOPMetricsHandler.instance,
        tracer: (any Tracer)? = nil, logger: Logger
    ) async throws(DatabaseFault) -> RunningShop {
        let (isDistributed, tokenSecret) = try await ShopDatabase.firstLook(configuration, logger: logger)
        var configuration = configuration
        configuration.isDistributed = isDistributed
        // Written before the first orders, so that the checkout draws their numbers of the day. A failed write is
        // repeated each second.
        do throws(DatabaseFault) { try await ShopDatabase.writeDayNumbers(configuration, logger: logger) } catch {
            logger.debug("the day's numbers can't be prepared", metadata: ["reason": "\(error)"])
        }
        return try RunningShop(
            configuration, replicas: replicas, shards: shards, mail: mail, tokens: AccessTokens(secret: tokenSecret), listeners: listeners,
            studio: studio, metrics: metrics, tracer: tracer, logger: logger)
    }

    private init(
        _ configuration: DatabaseConfiguration, replicas: ReplicaConfiguration, shards: Shards, mail: MailConfiguration?,
        tokens: AccessTokens,
        listeners: Listeners, studio: PhotoStudio, metrics: any MetricsFactory, tracer: (any Tracer)?, logger: Logger
    ) throws(DatabaseFault) {
        let held = HeldBaskets(isUsed: !configuration.isDistributed)
        let ordering = OrderingWatch(configuration, logger: logger, onHealthChange: listeners.onOrdering)
        self.ordering = ordering
        database = try ShopDatabase(
            configuration, logger: logger,
            onHealthChange: { reason in
                held.forgetAll()
                let health = reason.map(Health.failing) ?? .healthy
                ordering.databaseChanged(health)
                listeners.onDatabase(health)
            },
            // It may lead to a standby that has taken over, lacks the newest baskets, and gives their versions to others: what was held before the loss,
            // and what an old connection still answers after this one opened, is not believed.
            onOpen: { held.forgetAll() }, onAnswer: ordering.ended)
        self.replicas = try ReadReplicas(replicas, place: configuration, primary: database, metrics: metrics, logger: logger)
        let moves = RecentMoves(memory: self.replicas.staleness)
        menu = CurrentMenu(database: database, replicas: self.replicas, logger: logger, onHealthChange: listeners.onMenu)
        locked = LockedRows(database: database, onHealthChange: listeners.onLockedRows)
        // A job takes a few statements, of which one may be at its limit. Who has waited for its turn does not wait as long again.
        var (changes, placing) = (BasketQueue.limits(for: shards), QueueLimits(for: shards))
        changes.lifetime = configuration.longestAnswer
        placing.lifetime = changes.lifetime
        baskets = BasketQueue(
            database: database, menu: menu, held: held, limits: changes, shards: shards, metrics: metrics, tracer: tracer)
        kitchen = KitchenLoad(database: database, logger: logger)
        checkouts = CheckoutQueue(
            database: database, menu: menu, held: held, locked: locked, kitchen: kitchen, limits: placing, shards: shards, metrics: metrics,
            tracer: tracer, logger: logger)
        times = ShopTimes(database: database, menu: menu, baskets: baskets, kitchen: kitchen)
        orders = GuestOrders(
            database: database, replicas: self.replicas, moves: moves,
            cancellations: CancellationQueue(database: database, locked: locked, metrics: metrics))
        orderWatch = OrderWatch(database: database, logger: logger)
        // The facts of that moment, and at most four more statements until the order stands.
        let lateness = configuration.longestAnswer * 5
        members = StaffMembers(database: database)
        board = OrderBoard(database: database, lateness: lateness, logger: logger)
        let (url, database, menu) = (configuration.url, database, menu)
        mailer = mail.map {
            OrderMailer(
                $0, url: url, database: database, menu: menu, lateness: lateness, metrics: metrics, logger: logger,
                onHealthChange: listeners.onMail)
        }
        var followers: [any AnnouncementListener] = [menu, orderWatch, board, moves, members]
        if let mailer { followers.append(mailer) }
        let place = configuration.url
        var configuration = configuration
        (configuration.connections, configuration.lockTimeout) = (1, StaffDesk.lockTimeout)
        let staffDatabase = try ShopDatabase(
            configuration, logger: logger, onHealthChange: Self.staffAreServed(logger), onAnswer: ordering.ended)
        acceptance = AcceptanceWatch(
            database: staffDatabase, menu: menu, locked: locked, lateness: lateness, logger: logger, onHealthChange: listeners.onAcceptance)
        numbering = DayNumbering(database: self.database, staffDatabase: staffDatabase, logger: logger)
        pendingSteps = PendingStepExecutor(database: staffDatabase, locked: locked, moves: moves, logger: logger)
        announcements = Announcements(url: place, listeners: followers + [acceptance], logger: logger)
        staff = StaffDesk(
            database: staffDatabase, menu: menu, replicas: self.replicas, moves: moves, locked: locked, studio: studio)
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

    func loadPhotograph(_ digest: String, width: Int, format: PhotographFormat) async throws(DatabaseFault) -> [UInt8]? {
        try await database.loadPhotograph(digest, width: width, format: format)
    }

    /// How many connections a server opens to its primary at most: those of its pool, one for staff, one that listens, one that looks whether
    /// orders are taken, one that prunes, one that mails, and one that applies migrations or that PostgreSQL has not seen to be lost.
    package static func connectionLimit(_ configuration: DatabaseConfiguration, mails: Bool = false) -> Int {
        configuration.connections + (mails ? 6 : 5)
    }

    /// What has to run, the first to start first.
    package var services: [any Service] {
        let mail: [any Service] = mailer.map { [$0] } ?? []
        let ordering = OrderingWatchService(watch: self.ordering, database: database)
        let watches: [any Service] = [
            menu, kitchen, orderWatch, board, members, acceptance, numbering, pendingSteps, announcements, ordering,
            locked,
        ]
        return [database, staff.database, replicas] + watches + mail + [baskets, checkouts, orders.cancellations]
    }
}
