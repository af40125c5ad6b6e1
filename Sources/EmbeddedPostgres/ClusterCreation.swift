// Creates the cluster of a data directory: initdb, authentication rules, roles and the database `welms`.
import FoundationEssentials
import Glibc

/// Creates a cluster in a temporary directory and renames it when it is complete. A killed creation leaves no partial
/// cluster. Every attempt has a new directory name: the initdb of a killed process continues for about a second and
/// must not write into a later attempt.
struct ClusterCreation {
    let command: ServerCommand

    private var directory: ClusterDirectory { command.directory }

    /// The options of every cluster. C.UTF-8 sorts by code point, so no upgrade of the C library changes an index's
    /// order.
    private static let initdbOptions = [
        "--username", "postgres", "--encoding", "UTF8", "--locale", "C.UTF-8", "--auth-local", "peer", "--auth-host",
        "reject",
    ]
    /// The name prefixes of the directories in which clusters are created, and in which programs are tested.
    private static let (unfinished, trial) = ("unfinished-", "trial-")

    /// Removes the directories of interrupted attempts. Ignores failures: an initdb may still write, and the next start
    /// retries.
    static func removeLeftovers(in directory: ClusterDirectory) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        for name in names where name.hasPrefix(unfinished) || name.hasPrefix(trial) {
            try? FileManager.default.removeItem(atPath: "\(directory.path)/\(name)")
        }
    }

    /// Creates a cluster and deletes it, to verify that the server's program starts and loads its libraries.
    func testPrograms() async throws(EmbeddedPostgresError) {
        let path = try PrivateFile.makeUnpredictableDirectory(
            prefix: "\(directory.path)/\(Self.trial)", owner: directory.owner)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await command.runToCompletion("initdb", ["--pgdata", path, "--no-sync"] + Self.initdbOptions)
    }

    func create() async throws(EmbeddedPostgresError) {
        guard let owner = directory.owner.name else {
            throw .commandFailed(
                command: "initdb",
                output: "user \(directory.owner.id) has no name in /etc/passwd, as PostgreSQL requires")
        }
        let path = try PrivateFile.makeUnpredictableDirectory(
            prefix: "\(directory.path)/\(Self.unfinished)", owner: directory.owner)
        do throws(EmbeddedPostgresError) {
            try await populate(path, owner: owner)
            guard rename(path, directory.data) == 0 else { throw .lastSystemError("make", directory.data) }
        } catch {
            try? FileManager.default.removeItem(atPath: path)
            throw error
        }
        try PrivateFile.synchronize(directory.path)
    }

    private func populate(_ path: String, owner: String) async throws(EmbeddedPostgresError) {
        try await command.runToCompletion("initdb", ["--pgdata", path] + Self.initdbOptions)
        try PrivateFile.write(Self.authenticationRules, to: "\(path)/pg_hba.conf", owner: directory.owner)
        try PrivateFile.write(Self.userMap(owner: owner), to: "\(path)/pg_ident.conf", owner: directory.owner)
        // Single-user mode completes the cluster before its first server opens a socket.
        let script = "\(path)/birth.sql"
        try PrivateFile.write(ClusterRole.creationScript, to: script, owner: directory.owner)
        try await command.runToCompletion(
            "postgres", ["--single", "-D", path, "-c", "exit_on_error=on", "postgres"], input: script)
        unlink(script)
    }

    /// pg_hba.conf: no TCP, and on the socket the kernel identifies the user, so that there is no password to keep or
    /// to leak.
    static let authenticationRules = """
        # Only over the unix socket, and only the system users that pg_ident.conf lists.
        # type  database  user  method
        local   all       all   peer map=welms

        """

    /// pg_ident.conf: the permitted users are the cluster's owner and root, who can read all files anyway.
    static func userMap(owner: String) -> String {
        "# map   system user   database role\n" + ClusterRole.identLines(for: "root")
            + ClusterRole.identLines(for: "\"\(owner)\"")
    }
}
