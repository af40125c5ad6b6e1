// Runs a PostgreSQL program as the cluster's owner.
import Glibc
import Subprocess

/// How the server's programs run: as the cluster's owner, in its directory, without this process's environment.
struct ServerCommand: Sendable {
    let binaries: ServerBinaries
    let directory: ClusterDirectory

    /// Excludes variables such as PGPORT and PGDATA. The C locale makes the messages English, because the code searches
    /// them.
    func environment(_ additions: [Environment.Key: String] = [:]) -> Environment {
        .custom(
            additions.merging(["PATH": "\(binaries.directory):/usr/bin:/bin", "LC_ALL": "C.UTF-8"]) { ours, _ in ours })
    }

    /// A separate session: Ctrl-C in the terminal must not reach the server while this process finishes its requests.
    var platformOptions: PlatformOptions {
        var options = PlatformOptions()
        options.createSession = true
        return options
    }

    /// Returns the command that runs the program as the cluster's owner: setpriv (util-linux, on every Debian) if
    /// needed.
    ///
    /// Subprocess's own user and group options fork this process and call setgroups in the child. There glibc can wait
    /// forever for a lock that another thread held at the fork.
    func asOwner(_ path: String, _ arguments: [String]) -> CommandLine {
        let (user, group) = (directory.owner.id, directory.owner.group)
        guard geteuid() != user else { return CommandLine(executable: path, arguments: arguments) }
        let options = ["--reuid=\(user)", "--regid=\(group)", "--groups=\(group)", "--", path]
        return CommandLine(executable: "/usr/bin/setpriv", arguments: options + arguments)
    }

    /// An executable and its arguments.
    struct CommandLine {
        let executable: String
        let arguments: [String]
    }

    /// Runs a program to completion, with a file as its standard input.
    func runToCompletion(_ program: String, _ arguments: [String], input: String = "/dev/null")
        async throws(EmbeddedPostgresError)
    {
        // The input is a file and not a string: with a string, Subprocess 1.0 crashes this process ("FileDescriptor was
        // not closed") if the program ends before it has read all input.
        let file = open(input, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .lastSystemError("read", input) }
        let line = asOwner("\(binaries.directory)/\(program)", arguments)
        do {
            let result = try await run(
                .path(.init(line.executable)), arguments: Arguments(line.arguments), environment: environment(),
                workingDirectory: .init(directory.path), platformOptions: platformOptions,
                input: .fileDescriptor(.init(rawValue: file), closeAfterSpawningProcess: true),
                output: .string(limit: 1 << 20),
                error: .combinedWithOutput
            )
            guard result.terminationStatus.isSuccess else {
                throw EmbeddedPostgresError.commandFailed(
                    command: program, output: Self.lastErrorLine(in: result.standardOutput))
            }
        } catch let error as EmbeddedPostgresError {
            throw error
        } catch {
            if Task.isCancelled { throw .cancelled }
            throw .commandFailed(command: program, output: "\(error)")
        }
    }

    /// The last line that contains an error, or else the last line.
    static func lastErrorLine(in output: String) -> String {
        let lines = output.split(whereSeparator: \.isNewline)
        let complaints = ["FATAL:", "PANIC:", "ERROR:", "error:"]
        let complaint = lines.last { line in complaints.contains { line.contains($0) } }
        return String(complaint ?? lines.last ?? "the program printed nothing")
    }
}
