// Why there is no embedded PostgreSQL: every case says in one line what is wrong and what to do about it.
// Thrown by EmbeddedPostgres.start and .url, printed as it is by the command line.

/// What keeps the embedded PostgreSQL from running. `description` is one line that says what to do.
package enum EmbeddedPostgresError: Error, Sendable, Hashable, CustomStringConvertible {
    /// No `initdb` and `postgres` in `/usr/lib/postgresql/*/bin`, where `pg_config` points, or on the PATH.
    case serverNotInstalled
    /// No `initdb` and `postgres` that run in the directory that was named.
    case noServer(in: String)
    /// The data was made by another major version than those installed.
    case versionNotInstalled(directory: String, needed: Int, installed: [Int])
    /// Another live process holds the lock of this data directory; its id where it could be read.
    case alreadyInUse(directory: String, pid: Int32?)
    /// The data belongs to another user, and this process isn't root.
    case belongsToAnother(directory: String, owner: String)
    /// PostgreSQL refuses to run as root and there is no user to run it as.
    case noUserToRunAs
    /// The operating system refused a file operation.
    case fileSystem(operation: String, path: String, reason: String)
    /// `initdb` or the like failed; what it said, in one line.
    case commandFailed(command: String, output: String)
    /// The server ended before it was ready; what it said, in one line, and where its log lies.
    case didNotStart(reason: String, log: String)
    /// Processes of a killed server still use the data after a minute of waiting.
    case oldProcessesRemain(directory: String)
    /// Nothing runs on this data directory, so there is no URL.
    case notRunning(directory: String)
    /// The task that was starting the server has been cancelled.
    case cancelled

    /// One line, without a full stop.
    package var description: String {
        switch self {
        case .serverNotInstalled:
            "no PostgreSQL server is installed: run `make setup`, or `apt-get install postgresql`, or give --database-url"
        case .noServer(let directory):
            "there is no PostgreSQL server in \(directory): name the directory of its programs, such as /usr/lib/postgresql/15/bin"
        case .versionNotInstalled(let directory, let needed, let installed):
            "the data in \(directory) is of PostgreSQL \(needed), installed is \(installed.map(String.init).joined(separator: ", ")): "
                + "`apt-get install postgresql-\(needed)`, or choose another --data-dir"
        case .alreadyInUse(let directory, let pid):
            "another server\(pid.map { " (process \($0))" } ?? "") uses \(directory): stop it, or choose another --data-dir"
        case .belongsToAnother(let directory, let owner):
            "\(directory) belongs to \(owner): run as \(owner) or root, or choose another --data-dir"
        case .noUserToRunAs:
            "PostgreSQL does not run as root and there is no user `postgres`: run `make setup`, or start as an ordinary user"
        case .fileSystem(let operation, let path, let reason):
            "could not \(operation) \(path): \(reason); mend that, or choose another --data-dir"
        case .commandFailed(let command, let output):
            "\(command) failed: \(output)"
        case .didNotStart(let reason, let log):
            "PostgreSQL did not start: \(reason) (its log: \(log))"
        case .oldProcessesRemain(let directory):
            "processes of a killed PostgreSQL still use \(directory): end them (`fuser \(directory)` lists them), then start again"
        case .notRunning(let directory):
            "no embedded PostgreSQL runs on \(directory): start `welms serve` first, or name its --data-dir"
        case .cancelled:
            "the start of PostgreSQL was cancelled"
        }
    }
}
