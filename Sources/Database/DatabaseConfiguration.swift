// Where the shop's database is, and how it is asked. Made by the executable and by tests; changed by Shop for each of its uses.
import Postgres

/// A place of a ShopDatabase, and how long and how much is waited for it.
package struct DatabaseConfiguration: Sendable {
    /// A libpq connection string or URI.
    package var url: String
    /// How many connections are kept open. Each is a thread here and a process there; pipelining keeps a few of them busy.
    package var connections = 4
    package var waitForConnection: Duration = .seconds(2)
    package var statementTimeout: Duration = .seconds(5)
    /// For how many milliseconds a statement waits for a row or a table that somebody else has locked; nil: as long as it may take.
    package var lockTimeout: Int?
    /// Whether nothing is written there, as on a replica.
    package var isReadOnly = false
    /// Whether the tables lie on several machines, as `ShopDatabase.firstLook` tells.
    package var isDistributed = false
    /// What the database calls its sessions.
    package var sessionName = "welms"

    package init(url: String) { self.url = url }

    /// How long a statement is waited for in all, once it was sent.
    package var longestAnswer: Duration { pool.answerLimit }

    /// The pool of these connections.
    var pool: PoolConfiguration {
        var pool = PoolConfiguration(url: url)
        (pool.connections, pool.waitForConnection, pool.statementTimeout) = (connections, waitForConnection, statementTimeout)
        pool.connection.sessionSettings = Self.sessionSettings
        pool.connection.sessionSettings["application_name"] = sessionName
        // Which machine a statement is for depends on its values, so its plan does too.
        if isDistributed { pool.connection.sessionSettings["plan_cache_mode"] = "force_custom_plan" }
        if isReadOnly { pool.connection.sessionSettings["default_transaction_read_only"] = "on" }
        if let lockTimeout { pool.connection.sessionSettings["lock_timeout"] = "\(lockTimeout)ms" }
        return pool
    }

    /// What every connection sets. All statements here look rows up by key, so the plan for an empty table has to be
    /// the plan for a million rows: left to itself, PostgreSQL plans a scan of the table while that is empty, and the connection
    /// keeps the plan (checkout fell from 13,000 to 1,800 a second on a fresh install).
    static let sessionSettings = [
        "timezone": "UTC",
        // place_orders counts on a fresh snapshot for each of its statements, whatever is the database's default.
        "default_transaction_isolation": "read committed",
        "jit": "off",
        "enable_seqscan": "off",
        "enable_hashjoin": "off",
        "enable_mergejoin": "off",
        "plan_cache_mode": "force_generic_plan",
    ]
}
