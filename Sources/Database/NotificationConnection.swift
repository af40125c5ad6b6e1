// Receives PostgreSQL notifications about the menu, orders and staff members over a separate connection.
import Logging
import Ordering
import Postgres

/// A notification of the database.
package enum DatabaseNotification: Sendable, Hashable {
    /// The menu revision has changed.
    case menuChanged
    /// An order has changed. The step's number is its position in the history, where 1 is the placement.
    case orderMoved(OrderID, step: Int)
    /// A staff member was added, changed or withdrawn.
    case staffChanged

    fileprivate static let channels = ["menu_changed", "order_moved", "staff_changed"]

    /// Nil for an unknown payload. The payload of an order is its id, a space and its last step in order_steps. 0 is
    /// the placement, if an order without steps has changed: it has got its day number, for example.
    init?(channel: String, payload: String) {
        if channel == "menu_changed" {
            self = .menuChanged
            return
        }
        if channel == "staff_changed" {
            self = .staffChanged
            return
        }
        let words = payload.split(separator: " ")
        guard channel == "order_moved", words.count == 2, let order = OrderID(words[0]), let step = Int32(words[1]),
            step >= 0
        else { return nil }
        self = .orderMoved(order, step: Int(step) + 1)
    }
}

/// A connection that receives notifications.
package struct NotificationConnection: Sendable {
    private let connection: PostgresConnection

    /// Connects and listens. No notification is missed until the connection is lost.
    package static func connect(to url: String, logger: Logger) async throws(DatabaseFault) -> NotificationConnection {
        do throws(PostgresError) {
            let connection = try await PostgresConnection.connect(
                url, sessionSettings: ["application_name": "welms listener"], logger: logger)
            do throws(PostgresError) {
                for channel in DatabaseNotification.channels { try await connection.listen(to: channel) }
            } catch {
                await connection.close()
                throw error
            }
            return NotificationConnection(connection: connection)
        } catch {
            throw DatabaseFault(error)
        }
    }

    /// Calls `body` for each notification until the connection is lost or too many notifications are queued.
    package func forEachNotification(_ body: (DatabaseNotification) -> Void) async {
        for await notification in connection.notifications {
            if let announcement = DatabaseNotification(channel: notification.channel, payload: notification.payload) {
                body(announcement)
            }
        }
    }

    package func close() async { await connection.close() }
}
