// Makes the cluster of a data directory that has none: initdb, who may enter, the roles and the database `welms`.
// Called by EmbeddedPostgres.start under the lock. Next: ClusterRole.swift, Postmaster.swift.
import FoundationEssentials
import Glibc

/// The birth of a cluster. It is made beside its place and moved there when it is whole, so that a killed birth leaves nothing.
struct NewCluster {
    let command: ServerCommand

    private var directory: ClusterDirectory { command.directory }

    /// Makes the cluster. Whatever an interrupted attempt left is removed first.
    func make() async throws(EmbeddedPostgresError) {
        guard let owner = directory.owner.name else {
            throw .commandFailed(command: "initdb", output: "user \(directory.owner.id) has no name in /etc/passwd, as PostgreSQL requires")
        }
        let unfinished = "\(directory.path)/unfinished"
        do {
            if PrivateFile.status(unfinished) != nil { try FileManager.default.removeItem(atPath: unfinished) }
        } catch {
            throw .fileSystem(operation: "remove", path: unfinished, reason: "\(error)")
        }
        // C.UTF-8 sorts by code point: no upgrade of the C library ever reorders what an index has sorted.
        try await command.finish(
            "initdb",
            [
                "--pgdata", unfinished, "--username", "postgres", "--encoding", "UTF8", "--locale", "C.UTF-8",
                "--auth-local", "peer", "--auth-host", "reject",
            ]
        )
        try PrivateFile.write(Self.access, to: "\(unfinished)/pg_hba.conf", owner: directory.owner)
        try PrivateFile.write(Self.people(owner: owner), to: "\(unfinished)/pg_ident.conf", owner: directory.owner)
        // Single-user mode, so the cluster is complete before its first server opens a socket.
        let birth = "\(directory.path)/birth.sql"
        try PrivateFile.write(ClusterRole.birth, to: birth, owner: directory.owner)
        try await command.finish("postgres", ["--single", "-D", unfinished, "-c", "exit_on_error=on", "postgres"], input: birth)
        unlink(birth)
        guard rename(unfinished, directory.data) == 0 else { throw .lastSystemError("make", directory.data) }
    }

    /// Nobody gets in by TCP, and on the socket the kernel vouches for who is there: no password to keep or to leak.
    static let access = """
        # Only over the unix socket, and only the system users that pg_ident.conf lists.
        # type  database  user  method
        local   all       all   peer map=welms

        """

    /// Root can read everything anyway; the owner is who started the server, or `postgres`.
    static func people(owner: String) -> String {
        "# map   system user   database role\n" + ClusterRole.lines(for: "root") + ClusterRole.lines(for: "\"\(owner)\"")
    }
}
