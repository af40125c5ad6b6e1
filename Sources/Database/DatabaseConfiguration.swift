// The connection settings of a shop's database.
import Postgres

/// Where a ShopDatabase connects to, with its timeouts and limits.
package struct DatabaseConfiguration: Sendable {
    /// A libpq connection string or URI.
    package var url: String
    /// The number of open connections. Each takes a thread of this process and a process of PostgreSQL. Pipelining
    /// keeps each connection busy, so a few are enough.
    package var connections = 4
    package var connectionTimeout: Duration = .seconds(2)
    package var statementTimeout: Duration = .seconds(5)
    /// The lock timeout of statements in milliseconds; nil: none.
    package var lockTimeout: Int?
    /// Whether sessions are read-only, as on a replica.
    package var isReadOnly = false
    /// Whether the tables are distributed (Citus), see `ShopDatabase.loadStartupFacts`.
    package var isDistributed = false
    /// The application name of the sessions.
    package var sessionName = "welms"

    package init(url: String) { self.url = url }

    /// The longest time until a statement that was sent is answered or fails.
    package var maximumResponseTime: Duration { pool.answerLimit }

    /// The configuration of the connection pool.
    var pool: PoolConfiguration {
        var pool = PoolConfiguration(url: url)
        (pool.connections, pool.waitForConnection, pool.statementTimeout) = (
            connections, connectionTimeout, statementTimeout
        )
        pool.connection.sessionSettings = Self.sessionSettings
        pool.connection.sessionSettings["application_name"] = sessionName
        // On Citus the shard depends on the values of the parameters, so each execution needs its own plan.
        if isDistributed { pool.connection.sessionSettings["plan_cache_mode"] = "force_custom_plan" }
        if isReadOnly { pool.connection.sessionSettings["default_transaction_read_only"] = "on" }
        if let lockTimeout { pool.connection.sessionSettings["lock_timeout"] = "\(lockTimeout)ms" }
        return pool
    }

    /// Session settings of every connection. All statements look up rows by key, so the plan for an empty table must
    /// suit a million rows. Otherwise PostgreSQL plans a sequential scan while a table is empty and keeps the plan:
    /// checkout fell from 13,000 to 1,800 per second on a fresh installation.
    static let sessionSettings = [
        "timezone": "UTC",
        // place_orders needs a fresh snapshot for each statement, whatever the database's default is.
        "default_transaction_isolation": "read committed",
        "jit": "off",
        "enable_seqscan": "off",
        "enable_hashjoin": "off",
        "enable_mergejoin": "off",
        // A bitmap scan reads all versions of a row, and there are many while a transaction holds an old snapshot. The
        // statements that read the newest version would use one when their few rows are on more than 200 pages.
        "enable_bitmapscan": "off",
        "plan_cache_mode": "force_generic_plan",
        // A generic plan does not know how few rows it reads, and starts workers that cost more than the statement.
        "max_parallel_workers_per_gather": "0",
    ]
}
