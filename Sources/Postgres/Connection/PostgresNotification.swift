// A message of LISTEN and NOTIFY.

/// A notification that the server delivered.
package struct PostgresNotification: Sendable, Hashable {
    /// The channel on which it was sent.
    package let channel: String
    /// The text of the notification, often empty.
    package let payload: String
    /// The id of the server process that sent the notification.
    package let processID: Int32
}
