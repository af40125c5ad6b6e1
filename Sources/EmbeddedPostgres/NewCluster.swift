// Makes the cluster of a data directory that has none: initdb, who may enter, the roles and the database `welms`.
// Called by EmbeddedPostgres under the lock. Next: ClusterRole.swift, Postmaster.swift.
import FoundationEssentials
import Glibc

/// The birth of a cluster. It is made beside its place and moved there when it is whole, so that a killed birth leaves nothing.
///
/// Each is made in a directory of its own name, which is never used again: when a process is killed in the middle, its initdb goes on for a
/// second, and writes where nobody looks.
struct NewCluster {
    let command: ServerCommand

    private var directory: ClusterDirectory { command.directory }

    /// What all clusters are made with. C.UTF-8 sorts by code point: no upgrade of the C library ever reorders what an index has sorted.
    private static let manner = [
        "--username", "postgres", "--encoding", "UTF8", "--locale", "C.UTF-8", "--auth-local", "peer", "--auth-host", "reject",
    ]
    private static let (unfinished, trial) = ("unfinished-", "trial-")

    /// Removes what interrupted attempts left, as far as it can be: an initdb that goes on may be at it, and there is a next time.
    static func removeRemains(in directory: ClusterDirectory) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        for name in names where name.hasPrefix(unfinished) || name.hasPrefix(trial) {
            try? FileManager.default.removeItem(atPath: "\(directory.path)/\(name)")
        }
    }

    /// Makes a cluster and throws it away: the server's program starts, and its libraries can be loaded.
    func tryPrograms() async throws(EmbeddedPostgresError) {
        let place = try PrivateFile.makeUnpredictableDirectory(prefix: "\(directory.path)/\(Self.trial)", owner: directory.owner)
        defer { try? FileManager.default.removeItem(atPath: place) }
        try await command.finish("initdb", ["--pgdata", place, "--no-sync"] + Self.manner)
    }

    func make() async throws(EmbeddedPostgresError) {
        guard let owner = directory.owner.name else {
            throw .commandFailed(command: "initdb", output: "user \(directory.owner.id) has no name in /etc/passwd, as PostgreSQL requires")
        }
        let place = try PrivateFile.makeUnpredictableDirectory(prefix: "\(directory.path)/\(Self.unfinished)", owner: directory.owner)
        do throws(EmbeddedPostgresError) {
            try await fill(place, owner)
            guard rename(place, directory.data) == 0 else { throw .lastSystemError("make", directory.data) }
        } catch {
            try? FileManager.default.removeItem(atPath: place)
            throw error
        }
        try PrivateFile.synchronize(directory.path)
    }

    private func fill(_ place: String, _ owner: String) async throws(EmbeddedPostgresError) {
        try await command.finish("initdb", ["--pgdata", place] + Self.manner)
        try PrivateFile.write(Self.access, to: "\(place)/pg_hba.conf", owner: directory.owner)
        try PrivateFile.write(Self.people(owner: owner), to: "\(place)/pg_ident.conf", owner: directory.owner)
        // Single-user mode, so the cluster is complete before its first server opens a socket.
        let birth = "\(place)/birth.sql"
        try PrivateFile.write(ClusterRole.birth, to: birth, owner: directory.owner)
        try await command.finish("postgres", ["--single", "-D", place, "-c", "exit_on_error=on", "postgres"], input: birth)
        unlink(birth)
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
