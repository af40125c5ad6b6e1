// What is asked of the database: a SQL text with a name, and what it does to the data, both constants of the program; values only ever become
// parameters. Handed to `PostgresPool.query` and `PostgresConnection.query`. Read next: Values/Parameters.swift, Pool/PostgresPool.swift.

/// A SQL statement that a connection prepares under its name the first time it is used.
///
/// The name shows up in `pg_prepared_statements` and in the logs; keep it under 48 bytes. Parameters stand in the text as `$1`, `$2`, ...; their
/// types are those of the Swift values, so a text that meets an enum or a jsonb column needs a cast: `$1::order_state`.
package struct Statement: Sendable, Hashable {
    /// What the statement is called in the logs and on the server.
    package let name: String
    package let sql: String

    /// Makes a statement; `name` should be unique in the program.
    package init(_ name: String, _ sql: String) { (self.name, self.sql) = (name, sql) }

    /// The name alone is enough for a good hash, and the text is long.
    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// What a statement does to the data; decides which Sync it gets and whether the client may send it again by itself.
package enum Effect: Sendable, Hashable {
    /// Changes nothing. May share a Sync, and so an implicit transaction, with other reads of the same burst; sent once more by the client when
    /// a neighbour's failure aborted it or, in the pool, when the connection was lost.
    case reads
    /// Changes data. Has a Sync, and so a transaction, of its own, and is never sent twice once it may have run.
    case writes
}
