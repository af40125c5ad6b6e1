// A named SQL text and its effect on the data. Both are constants of the program; values are always parameters.

/// A SQL statement that a connection prepares under its name the first time it is used.
///
/// The name appears in `pg_prepared_statements` and in the logs. Keep it below 48 bytes: the connection appends a
/// number, and PostgreSQL uses only the first 63 bytes.
///
/// Parameters are `$1`, `$2` and so on, with the types of the Swift values. Enum and jsonb columns need a cast, such as
/// `$1::order_state`.
package struct Statement: Sendable, Hashable {
    /// The statement's name in the logs and on the server.
    package let name: String
    /// The SQL text.
    package let sql: String

    /// Creates a statement. `name` should be unique in the program.
    package init(_ name: String, _ sql: String) { (self.name, self.sql) = (name, sql) }

    /// Hashes only the name, which is nearly unique; the text is long.
    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// A statement's effect on the data. It decides whether the client may retry the statement, and whether the statement
/// shares a Sync. A Sync is the protocol message that ends an implicit transaction of a pipeline.
package enum Effect: Sendable, Hashable {
    /// Changes nothing. May share a Sync, and thus an implicit transaction, with other reads that are sent together.
    /// Retried if the failure of another statement aborted it. A pool also retries it on a lost connection.
    case reads
    /// Changes data. Has its own Sync, and thus its own transaction, and is never sent twice once it may have run.
    case writes
}
