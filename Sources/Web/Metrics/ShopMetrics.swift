// Every metric of the server: its name, what it tells, and where its values come from. What happens is counted where it does; what is a state is
// read when Prometheus asks. All labels come from lists of ours. Made by ShopApplication; answered by MetricsRoutes.
import ErrorChannel
import Metrics
import Shop

package struct ShopMetrics: Sendable {
    /// Where they are kept: the factory to give to what counts by itself.
    package let registry: MetricsRegistry

    /// Seconds; half a millisecond is a menu page, 10 s is the deadline of a request.
    private static let durations = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    package init() {
        registry = MetricsRegistry([
            "welms_http_requests_total": .init("Requests answered, by route, method and status."),
            "welms_http_request_duration_seconds": .init(
                "From a request that has arrived whole to its answer, by route.", buckets: Self.durations),
            "welms_problems_total": .init("Answers that are problems, by their code: refused checkouts and baskets, overload, faults."),
            "welms_field_errors_total": .init("What was wrong in checkouts that failed validation, by code."),
            "welms_queue_batch_size": .init("Jobs that shared a batch, by queue.", buckets: [1, 2, 4, 8, 16, 32, 64, 128]),
            "welms_queue_batch_duration_seconds": .init("From the begin of a batch to its answers, by queue.", buckets: Self.durations),
            "welms_queue_waiting": .init("Jobs that wait for their batch, by queue."),
            "welms_queue_aside": .init("Jobs that wait for a row which somebody holds in an open transaction, by queue."),
            "welms_database_connections_open": .init("Connections to the database that are open."),
            "welms_database_statements_in_flight": .init(
                "Statements that were sent to the database and have no answer yet, or wait in a connection."),
            "welms_database_statements_waiting": .init("Statements that wait for a connection to open."),
            "welms_replica_reads_total": .init("Reads that were given to a replica, by whether it answered or the primary had to."),
            "welms_replica_in_use": .init("1 while a replica is read, by its place in the settings."),
            "welms_replica_behind_seconds": .init("What a replica lacks of the primary; NaN where that is not known."),
            "welms_menu_age_seconds": .init("Since the database last said that the menu held here is current."),
            "welms_kitchen_open_orders": .init("Orders that the kitchen still has to do with."),
            "welms_order_followers": .init("Who follows an order's states."),
            "welms_staff_watchers": .init("Who watches all orders."),
            "welms_mails_total": .init(
                """
                Mails to guests, by what became of a try: sent, refused for good, postponed, unreachable, \
                account_refused, limited, expired, unwritable.
                """),
            "welms_mail_oldest_waiting_seconds": .init("For how long the oldest mail waits; only the server that mails tells it."),
            "welms_errors_open": .init("1 while the error channel says degraded."),
            "welms_errors_listeners": .init("Who listens to the error channel."),
            "welms_errors_missed_total": .init("Events of the error channel that slow listeners missed."),
        ])
    }

    /// Reads what is a state, and writes all as text.
    func text(of shop: RunningShop, _ errors: ErrorBroadcast) -> String {
        set("welms_queue_waiting", shop.checkouts.waitingCount, [("queue", "checkouts")])
        set("welms_queue_waiting", shop.baskets.waitingCount, [("queue", "baskets")])
        set("welms_queue_aside", shop.checkouts.blockedCount, [("queue", "checkouts")])
        set("welms_queue_aside", shop.orders.cancellations.blockedCount, [("queue", "cancellations")])
        set("welms_queue_aside", shop.staff.waitingCount, [("queue", "staff")])
        let use = shop.databaseUse
        set("welms_database_connections_open", use.openConnections)
        set("welms_database_statements_in_flight", use.inFlight)
        set("welms_database_statements_waiting", use.waiting)
        for (index, condition) in shop.replicas.conditions.enumerated() {
            let labels = [("replica", "\(index + 1)")]
            set("welms_replica_in_use", condition.isInUse ? 1 : 0, labels)
            Meter(label: "welms_replica_behind_seconds", dimensions: labels, factory: registry)
                .set(condition.secondsBehind.map(Double.init) ?? .nan)
        }
        if let menu = shop.menu.current {
            Meter(label: "welms_menu_age_seconds", factory: registry).set(menu.age / .seconds(1))
        }
        set("welms_kitchen_open_orders", shop.kitchen.openOrders)
        set("welms_order_followers", shop.orderWatch.followerCount)
        set("welms_staff_watchers", shop.board.watcherCount)
        if let mailer = shop.mailer {
            Meter(label: "welms_mail_oldest_waiting_seconds", factory: registry).set(mailer.oldestWaitingSeconds.map(Double.init) ?? .nan)
        }
        set("welms_errors_open", errors.condition == .healthy ? 0 : 1)
        set("welms_errors_listeners", errors.listenerCount)
        registry.raiseCounter("welms_errors_missed_total", to: errors.missedCount)
        return registry.text
    }

    private func set(_ name: String, _ value: Int, _ labels: [(String, String)] = []) {
        Meter(label: name, dimensions: labels, factory: registry).set(value)
    }
}
