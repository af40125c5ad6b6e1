// One start of the server's program, and how it ended.
// Made by Postmaster; how programs are run is in ServerCommand.swift.
import Glibc
import Subprocess
import Synchronization

/// A server process that is a child of ours. It outlives this value, and this process: only a signal ends it.
final class Launch: Sendable {
    private let outcome = Mutex<String?>(nil)

    /// Starts the program. What it says before its log is open goes to `start.log`, from the beginning each time.
    init(_ command: ServerCommand, settings: [String: String], socketDirectory: String) throws(EmbeddedPostgresError) {
        let directory = command.directory
        try PrivateFile.write("", to: directory.startLog, owner: directory.owner)
        let log = open(directory.startLog, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW)
        guard log >= 0 else { throw .lastSystemError("open", directory.startLog) }
        var more: [Environment.Key: String] = [:]
        if case .stranger(let pid) = PostmasterFile.holder(of: directory.data) {
            // PostgreSQL takes a live process named in its file for another server, unless it is told that this one is its grandparent
            // (CreateLockFile in miscinit.c). All its other checks stand: it still looks for backends on the old shared memory.
            more["PG_GRANDPARENT_PID"] = "\(pid)"
        }
        let environment = command.environment(more)
        let line = command.asOwner(
            "\(command.binaries.directory)/postgres", Self.arguments(directory, settings: settings, socketDirectory: socketDirectory))
        // Held by nobody and never cancelled: the server ends by signal, after all that needs it has ended.
        Task {
            let ending: String
            do {
                let result = try await run(
                    .path(.init(line.executable)), arguments: Arguments(line.arguments), environment: environment,
                    workingDirectory: .init(directory.path), platformOptions: command.platformOptions, output: .discarded,
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
    func ending() -> String? { outcome.withLock { $0 } }

    /// Only where to listen and where to log are decided here; durability stays as PostgreSQL has it: on.
    private static func arguments(_ directory: ClusterDirectory, settings: [String: String], socketDirectory: String) -> [String] {
        let quoted = socketDirectory.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
        let own = [
            "listen_addresses": "",
            "port": "\(PostmasterFile.port)",
            // A list of paths: the quotes keep a comma or a space in one of them.
            "unix_socket_directories": "\"\(quoted)\"",
            "unix_socket_permissions": "0700",
            // A file per weekday, each begun afresh: a week of log and no more.
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
