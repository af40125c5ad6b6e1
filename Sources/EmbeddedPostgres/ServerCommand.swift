// Runs a PostgreSQL program as the cluster's user: to its end (initdb), or as what the server's process will be.
// Used by NewCluster and Postmaster.
import Glibc
import Subprocess

/// How the server's programs are run: as the owner of the cluster, in its directory, with nothing of our environment.
struct ServerCommand: Sendable {
    let binaries: ServerBinaries
    let directory: ClusterDirectory

    /// PGPORT, PGDATA and the like would change what the programs do; in the C locale their messages are the English ones we look for.
    func environment(_ more: [Environment.Key: String] = [:]) -> Environment {
        .custom(more.merging(["PATH": "\(binaries.directory):/usr/bin:/bin", "LC_ALL": "C.UTF-8"]) { ours, _ in ours })
    }

    /// A session of its own: a Ctrl-C in the terminal must not reach the server while ours finishes what is in flight.
    var platformOptions: PlatformOptions {
        var options = PlatformOptions()
        options.createSession = true
        return options
    }

    /// The program as the owner of the cluster: itself, or setpriv (util-linux, on every Debian), which becomes it without another process.
    ///
    /// Not Subprocess's own user and group: for them it forks, and the child of a process with many threads can wait for ever in glibc's
    /// setgroups for a lock that a thread held which it hasn't got.
    func asOwner(_ path: String, _ arguments: [String]) -> CommandLine {
        let (user, group) = (directory.owner.id, directory.owner.group)
        guard geteuid() != user else { return CommandLine(executable: path, arguments: arguments) }
        let become = ["--reuid=\(user)", "--regid=\(group)", "--groups=\(group)", "--", path]
        return CommandLine(executable: "/usr/bin/setpriv", arguments: become + arguments)
    }

    struct CommandLine {
        let executable: String
        let arguments: [String]
    }

    /// Runs a program to its end, with a file as its input.
    func finish(_ program: String, _ arguments: [String], input: String = "/dev/null") async throws(EmbeddedPostgresError) {
        // Not a string: Subprocess 1.0 ends our process when the program ends without having read it all ("FileDescriptor was not closed").
        let file = open(input, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .lastSystemError("read", input) }
        let line = asOwner("\(binaries.directory)/\(program)", arguments)
        do {
            let result = try await run(
                .path(.init(line.executable)), arguments: Arguments(line.arguments), environment: environment(),
                workingDirectory: .init(directory.path), platformOptions: platformOptions,
                input: .fileDescriptor(.init(rawValue: file), closeAfterSpawningProcess: true), output: .string(limit: 1 << 20),
                error: .combinedWithOutput
            )
            guard result.terminationStatus.isSuccess else {
                throw EmbeddedPostgresError.commandFailed(command: program, output: Self.lastComplaint(in: result.standardOutput))
            }
        } catch let error as EmbeddedPostgresError {
            throw error
        } catch {
            if Task.isCancelled { throw .cancelled }
            throw .commandFailed(command: program, output: "\(error)")
        }
    }

    /// The last line that is a complaint, or else the last line.
    static func lastComplaint(in output: String) -> String {
        let lines = output.split(whereSeparator: \.isNewline)
        let complaints = ["FATAL:", "PANIC:", "ERROR:", "error:"]
        let complaint = lines.last { line in complaints.contains { line.contains($0) } }
        return String(complaint ?? lines.last ?? "it said nothing")
    }
}
