// The errors of the embedded PostgreSQL. Every description says in one line what is wrong and what to do about it.

/// An error that keeps the embedded PostgreSQL from running. `description` is one line that says what to do.
package enum EmbeddedPostgresError: Error, Sendable, Hashable, CustomStringConvertible {
    /// `/usr/lib/postgresql/*/bin`, the directory of `pg_config` and the PATH contain no `initdb` and `postgres`.
    case serverNotInstalled
    /// The named directory contains no working `initdb` and `postgres`.
    case noServerPrograms(in: String)
    /// The data belongs to a major version that is not installed.
    case versionNotInstalled(directory: String, needed: Int, installed: [Int])
    /// Another live process holds the lock of this data directory. Its id is nil if it could not be read.
    case alreadyInUse(directory: String, pid: Int32?)
    /// The data belongs to another user, and this process is not root.
    case ownedByAnotherUser(directory: String, owner: String)
    /// PostgreSQL refuses to run as root, and there is no user to run it as.
    case noUserToRunAs
    /// The operating system refused a file operation.
    case fileSystem(operation: String, path: String, reason: String)
    /// A program such as `initdb` failed. Its last error message, in one line.
    case commandFailed(command: String, output: String)
    /// The server ended before it was ready. Its last error message in one line, and the path of its log.
    case didNotStart(reason: String, log: String)
    /// Processes of a killed server still use the data after one minute of waiting.
    case oldProcessesRemain(directory: String)
    /// No server runs on this data directory, so it has no URL.
    case notRunning(directory: String)
    /// The task that started the server was cancelled.
    case cancelled

    /// The error in one line, without a full stop.
    package var description: String {
        switch self {
        case .serverNotInstalled:
            "no PostgreSQL server is installed: "
                + "run `make setup`, or `apt-get install postgresql`, or give --database-url"
        case .noServerPrograms(let directory):
            "there is no PostgreSQL server in \(directory): "
                + "name the directory of its programs, such as /usr/lib/postgresql/15/bin"
        case .versionNotInstalled(let directory, let needed, let installed):
            "the data in \(directory) is of PostgreSQL \(needed), "
                + "installed is \(installed.map(String.init).joined(separator: ", ")): "
                + "`apt-get install postgresql-\(needed)`, or choose another --data-dir"
        case .alreadyInUse(let directory, let pid):
            "another server\(pid.map { " (process \($0))" } ?? "") uses \(directory): "
                + "stop it, or choose another --data-dir"
        case .ownedByAnotherUser(let directory, let owner):
            "\(directory) belongs to \(owner): run as \(owner) or root, or choose another --data-dir"
        case .noUserToRunAs:
            "PostgreSQL does not run as root and there is no user `postgres`: "
                + "run `make setup`, or start as an ordinary user"
        case .fileSystem(let operation, let path, let reason):
            "could not \(operation) \(path): \(reason); correct this, or choose another --data-dir"
        case .commandFailed(let command, let output):
            "\(command) failed: \(output)"
        case .didNotStart(let reason, let log):
            "PostgreSQL did not start: \(reason) (its log: \(log))"
        case .oldProcessesRemain(let directory):
            "processes of a killed PostgreSQL still use \(directory): "
                + "end them (`fuser \(directory)` lists them), then start again"
        case .notRunning(let directory):
            "no embedded PostgreSQL runs on \(directory): start `welms serve` first, or name its --data-dir"
        case .cancelled:
            "the start of PostgreSQL was cancelled"
        }
    }
}
