// One started server process, and how it ended.
import Glibc
import Subprocess
import Synchronization

/// A server process that is a child of this process. It outlives this object and this process: only a signal ends it.
final class ServerProcess: Sendable {
    private let outcome = Mutex<String?>(nil)

    /// Starts the program. Its output before it opens its log goes to `start.log`, which is truncated first.
    init(_ command: ServerCommand, settings: [String: String], socketDirectory: String) throws(EmbeddedPostgresError) {
        let directory = command.directory
        try PrivateFile.write("", to: directory.startLog, owner: directory.owner)
        let log = open(directory.startLog, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW)
        guard log >= 0 else { throw .lastSystemError("open", directory.startLog) }
        var additions: [Environment.Key: String] = [:]
        if case .otherProcess(let pid) = PostmasterFile.holder(of: directory.data) {
            // PostgreSQL takes a live process named in its file for another server, unless PG_GRANDPARENT_PID names it
            // (CreateLockFile in miscinit.c). Its other checks stay, such as the one for backends on the old shared
            // memory.
            additions["PG_GRANDPARENT_PID"] = "\(pid)"
        }
        let environment = command.environment(additions)
        let line = command.asOwner(
            "\(command.binaries.directory)/postgres",
            Self.arguments(directory, settings: settings, socketDirectory: socketDirectory))
        // The task is unstructured and never cancelled: only a signal ends the server, after all its users have ended.
        Task {
            let ending: String
            do {
                let result = try await run(
                    .path(.init(line.executable)), arguments: Arguments(line.arguments), environment: environment,
                    workingDirectory: .init(directory.path), platformOptions: command.platformOptions,
                    output: .discarded,
                    error: .fileDescriptor(.init(rawValue: log), closeAfterSpawningProcess: true)
                )
                ending = "\(result.terminationStatus)"
            } catch {
                ending = "\(error)"
            }
            outcome.withLock { $0 = ending }
        }
    }

    /// How the process ended; nil while it runs.
    func terminationReason() -> String? { outcome.withLock { $0 } }

    /// Configures only the socket and the log. The durability settings keep PostgreSQL's defaults, which are on.
    private static func arguments(_ directory: ClusterDirectory, settings: [String: String], socketDirectory: String)
        -> [String]
    {
        let quoted = socketDirectory.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
        let own = [
            "listen_addresses": "",
            "port": "\(PostmasterFile.port)",
            // The setting is a list of paths. The quotes protect a comma or a space in a path.
            "unix_socket_directories": "\"\(quoted)\"",
            "unix_socket_permissions": "0700",
            // One file per weekday, truncated when its day begins: a week of log.
            "logging_collector": "on",
            "log_directory": directory.log,
            "log_filename": "postgres-%a.log",
            "log_truncate_on_rotation": "on",
            "log_rotation_age": "1d",
            "log_rotation_size": "0",
        ]
        let merged = settings.merging(own) { _, own in own }
        return ["-D", directory.data] + merged.sorted { $0.key < $1.key }.flatMap { ["-c", "\($0.key)=\($0.value)"] }
    }
}
