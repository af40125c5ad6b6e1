// Helpers of this target's suites: a cluster for one test, and a connection attempt as another system user.
import Glibc
import Logging
import Subprocess
import Support

@testable import EmbeddedPostgres

/// Logs only critical messages.
let quiet: Logger = {
    var logger = Logger(label: "EmbeddedPostgresTests")
    logger.logLevel = .critical
    return logger
}()

extension EmbeddedPostgres {
    /// The id of the server process.
    var pid: pid_t { postmaster.file.pid }
}

/// Runs `body` with a new cluster and its data directory.
func withPostgres<T>(_ body: (EmbeddedPostgres, String) async throws -> T) async throws -> T {
    try await ClusterGuard.withDataDirectory { directory in
        let postgres = try await EmbeddedPostgres.start(dataDirectory: directory, logger: quiet)
        let result = try await body(postgres, directory)
        await postgres.stop()
        return result
    }
}

/// Returns psql's output when the given system user connects.
func connect(as user: SystemUser, _ url: String) async throws -> String {
    let result = try await run(
        .path("/usr/bin/setpriv"),
        arguments: [
            "--reuid=\(user.id)", "--regid=\(user.group)", "--groups=\(user.group)", "--", "psql", "-X", "-d", url,
            "-c", "select 1",
        ],
        workingDirectory: "/", output: .string(limit: 65_536), error: .combinedWithOutput
    )
    return result.standardOutput
}

func makeExecutable(_ path: String) { chmod(path, 0o700) }
