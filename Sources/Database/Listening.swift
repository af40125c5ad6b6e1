// Hears what the database announces with NOTIFY: that the menu has changed (sql/001_menu.sql), that an order has moved
// (sql/007_order_steps.sql), that a member of staff has come or gone (sql/020_staff.sql). Begun by Shop's Announcements, over a connection of its own.
import Logging
import Ordering
import Postgres

package enum Announcement: Sendable, Hashable {
    case menuChanged
    /// An order came to another state; the number of the step is that of its history, where 1 is the placing.
    case orderMoved(OrderID, step: Int)
    case staffChanged

    fileprivate static let channels = ["menu_changed", "order_moved", "staff_changed"]

    /// Nil for any other payload on the channel. The payload of a move is the order's id, a space, and the number in
    /// order_steps; 0 is the placing, of an order that has its number of the day since then.
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

package struct Listening: Sendable {
    private let connection: PostgresConnection

    /// Connects and listens: from now on nothing is missed until the connection is lost.
    package static func begin(at url: String, logger: Logger) async throws(DatabaseFault) -> Listening {
        do throws(PostgresError) {
            let connection = try await PostgresConnection.connect(
                url, sessionSettings: ["application_name": "welms listener"], logger: logger)
            do throws(PostgresError) {
                for channel in Announcement.channels { try await connection.listen(to: channel) }
            } catch {
                await connection.close()
                throw error
            }
            return Listening(connection: connection)
        } catch {
            throw DatabaseFault(error)
        }
    }

    /// Tells what is announced until the connection is lost, or too much waits to be told.
    package func hear(_ tell: (Announcement) -> Void) async {
        for await notification in connection.notifications {
            if let announcement = Announcement(channel: notification.channel, payload: notification.payload) { tell(announcement) }
        }
    }

    package func end() async { await connection.close() }
}
