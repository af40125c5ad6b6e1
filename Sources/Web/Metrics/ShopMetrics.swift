// Names and documents every metric. Events are counted where they happen; gauges are read on each scrape. All labels
// come from fixed lists.
import ErrorChannel
import HTTPServing
import Metrics
import Shop

package struct ShopMetrics: Sendable {
    /// The registry; pass it as the factory to components that record their own metrics.
    package let registry: MetricsRegistry

    /// Upper bounds in seconds, from a menu page (0.5 ms) to the deadline of a request (10 s).
    private static let durations = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    package init() {
        registry = MetricsRegistry([
            "welms_http_requests_total": .init("Requests answered, by route, method and status."),
            "welms_http_request_duration_seconds": .init(
                "Time from the complete request to its response, by route.", buckets: Self.durations),
            "welms_problems_total": .init(
                "Problem responses by code: rejected checkouts and baskets, overload, faults."),
            "welms_field_errors_total": .init("Field errors of checkouts that failed validation, by code."),
            "welms_queue_batch_size": .init("Jobs per batch, by queue.", buckets: [1, 2, 4, 8, 16, 32, 64, 128]),
            "welms_queue_batch_duration_seconds": .init(
                "Time from the start of a batch to its results, by queue.", buckets: Self.durations),
            "welms_queue_waiting": .init("Jobs waiting for their batch, by queue."),
            "welms_queue_aside": .init("Jobs waiting for a row that an open transaction has locked, by queue."),
            "welms_database_connections_open": .init("Open database connections."),
            "welms_database_statements_in_flight": .init(
                "Statements that were sent to the database, or wait in a connection, and have no result yet."),
            "welms_database_statements_waiting": .init("Statements waiting for a connection to open."),
            "welms_database_snapshot_age_seconds": .init(
                "Age of the oldest snapshot that another session, a standby or its slot holds, checked once a minute."),
            "welms_replica_reads_total": .init(
                "Reads that were sent to a replica, by whether the replica or the primary answered."),
            "welms_replica_in_use": .init("1 while a replica is in use, by its position in the settings."),
            "welms_replica_behind_seconds": .init("Replication lag in seconds; NaN if unknown."),
            "welms_menu_age_seconds": .init(
                "Time since the database last confirmed that this server's menu is current."),
            "welms_kitchen_open_orders": .init("Orders that the kitchen has not finished."),
            "welms_order_followers": .init("Clients that follow the events of an order."),
            "welms_staff_watchers": .init("Staff clients that follow all orders."),
            "welms_mails_total": .init(
                """
                Attempts to send mails to guests, by result: sent, refused for good, postponed, unreachable, \
                account_refused, limited, expired, unwritable.
                """),
            "welms_mail_oldest_waiting_seconds": .init(
                "Waiting time of the oldest mail; reported only by the server that sends mails."),
            "welms_errors_open": .init("1 while the error channel reports degraded."),
            "welms_errors_listeners": .init("Clients that follow the error channel."),
            "welms_errors_missed_total": .init("Error channel events that slow clients missed."),
        ])
    }

    /// Reads the gauges and returns all metrics as text.
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
        set("welms_database_snapshot_age_seconds", shop.snapshots.oldestAgeSeconds)
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
        set("welms_order_followers", shop.orderPublisher.subscriberCount)
        set("welms_staff_watchers", shop.board.watcherCount)
        if let mailer = shop.mailer {
            Meter(label: "welms_mail_oldest_waiting_seconds", factory: registry).set(
                mailer.oldestWaitingSeconds.map(Double.init) ?? .nan)
        }
        set("welms_errors_open", errors.condition == .healthy ? 0 : 1)
        set("welms_errors_listeners", errors.subscriberCount)
        registry.raiseCounter("welms_errors_missed_total", to: errors.missedCount)
        return registry.text
    }

    private func set(_ name: String, _ value: Int, _ labels: [(String, String)] = []) {
        Meter(label: name, dimensions: labels, factory: registry).set(value)
    }
}
