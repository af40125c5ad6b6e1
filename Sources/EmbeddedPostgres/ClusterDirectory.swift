// The location, the owner and the socket directory of a data directory's cluster.
import Glibc

/// The cluster of a data directory: the directory `<data directory>/postgres`, or the target of a link of this name.
///
///     data/     the cluster itself (PGDATA)
///     socket    a directory of mode 0700 for the socket, or a symbolic link to one with a shorter path
///     log/      the server's log, one file per weekday
///     lock      held by the process that runs the server
struct ClusterDirectory: Sendable {
    /// The data directory that the user named, without symbolic links.
    let dataDirectory: String
    /// The cluster's directory, without symbolic links.
    let path: String
    /// The owner of the directory. The server runs as this user.
    let owner: SystemUser

    var data: String { "\(path)/data" }
    var log: String { "\(path)/log" }
    var lock: String { "\(path)/lock" }
    /// The server's output before it opens its log.
    var startLog: String { "\(path)/start.log" }

    /// The parent directory of the clusters that root starts. The user `postgres` runs them, and cannot enter a data
    /// directory below a folder of mode 0700, such as /root.
    static let parentForRoot = "/var/lib/welms"
}

extension ClusterDirectory {
    /// Finds the cluster of a data directory. Returns nil if it has none.
    init?(in dataDirectory: String) throws(EmbeddedPostgresError) {
        guard let canonical = PrivateFile.canonicalPath(dataDirectory) else { return nil }
        guard let path = PrivateFile.canonicalPath("\(canonical)/postgres"), let status = PrivateFile.status(path)
        else {
            if errno == ENOENT { return nil }
            guard errno == EACCES, let status = PrivateFile.status(canonical) else {
                throw .lastSystemError("enter", canonical)
            }
            let owner = SystemUser.withID(status.st_uid, group: status.st_gid)
            throw .ownedByAnotherUser(directory: canonical, owner: owner.name ?? "user \(owner.id)")
        }
        self.init(dataDirectory: canonical, path: path, owner: SystemUser.withID(status.st_uid, group: status.st_gid))
        guard owner.id != 0 else { throw .noUserToRunAs }
        guard geteuid() == 0 || geteuid() == owner.id else {
            throw .ownedByAnotherUser(directory: canonical, owner: owner.name ?? "user \(owner.id)")
        }
    }

    /// Finds the cluster of a data directory, or creates the data directory and an empty cluster directory.
    static func prepare(in dataDirectory: String) throws(EmbeddedPostgresError) -> ClusterDirectory {
        try makeWithParents(dataDirectory)
        if let existing = try ClusterDirectory(in: dataDirectory) { return existing }
        // A dangling symbolic link means that data existed once, so no new cluster is created.
        let path = "\(dataDirectory)/postgres"
        var status = stat()
        guard lstat(path, &status) != 0 else {
            throw .fileSystem(operation: "find the cluster behind", path: path, reason: "the link leads nowhere")
        }
        if geteuid() == 0 {
            guard let user = SystemUser.named("postgres") else { throw .noUserToRunAs }
            if mkdir(parentForRoot, 0o755) == 0 { chmod(parentForRoot, 0o755) }
            let target = try PrivateFile.makeUnpredictableDirectory(prefix: "\(parentForRoot)/", owner: user)
            if symlink(target, path) != 0 {
                rmdir(target)
                // Another process has just created the link. The lock decides which process uses the cluster.
                if errno != EEXIST { throw .lastSystemError("make", path) }
            }
        } else {
            try PrivateFile.makeDirectory(path, owner: .current)
        }
        guard let created = try ClusterDirectory(in: dataDirectory) else { throw .lastSystemError("open", path) }
        return created
    }

    /// Returns a directory of mode 0700 in which the socket's path fits into the 107 bytes of `sockaddr_un`.
    func prepareSocketDirectory() throws(EmbeddedPostgresError) -> String {
        let preferred = "\(path)/socket"
        if "\(preferred)/.s.PGSQL.\(PostmasterFile.port)".utf8.count <= 107 {
            try PrivateFile.makeDirectory(preferred, owner: owner)
            return preferred
        }
        // The link `socket` leads to the directory of an earlier run. It is not used if /tmp was cleaned and another
        // user has created a directory of this name.
        if let recorded = PrivateFile.canonicalPath(preferred), let status = PrivateFile.status(recorded),
            status.st_uid == owner.id, status.st_mode & 0o7777 == 0o700
        {
            return recorded
        }
        let fallback = try PrivateFile.makeUnpredictableDirectory(prefix: "/tmp/welms-", owner: owner)
        unlink(preferred)
        guard symlink(fallback, preferred) == 0 else { throw .lastSystemError("make", preferred) }
        return fallback
    }

    private static func makeWithParents(_ path: String) throws(EmbeddedPostgresError) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.dropLast().lastIndex(of: "/"), slash != path.startIndex else {
            throw .lastSystemError("make", path)
        }
        try makeWithParents(String(path[..<slash]))
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .lastSystemError("make", path) }
    }
}
