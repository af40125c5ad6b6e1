// What `NOTIFY` sent, as a value. Taken from libpq by Session, handed to the reader of a PostgresConnection.

package struct PostgresNotification: Sendable, Hashable {
    package let channel: String
    /// The text sent along, often empty.
    package let payload: String
    /// The process id of the server process that sent it.
    package let processID: Int32
}
