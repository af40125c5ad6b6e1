// Where the cluster of a data directory lies, whom it belongs to, and the directory of its socket.
// Made by EmbeddedPostgres before all else. Next: DirectoryLock.swift, NewCluster.swift.
import Glibc

/// The place of a cluster: `<data directory>/postgres`, a directory, or a symbolic link to one where the server's user can enter.
///
///     data/     the cluster itself (PGDATA)
///     socket    a directory of mode 0700 for the socket, or a symbolic link to one with a shorter path
///     log/      the server's log, a file per weekday
///     lock      held by the process that runs the server
struct ClusterDirectory: Sendable {
    /// What the user named, without symbolic links.
    let dataDirectory: String
    /// The cluster's directory, without symbolic links.
    let path: String
    /// Whom the directory belongs to; the server runs as this user.
    let owner: SystemUser

    var data: String { "\(path)/data" }
    var log: String { "\(path)/log" }
    var lock: String { "\(path)/lock" }
    /// What the server says before its log is open.
    var startLog: String { "\(path)/start.log" }

    /// Root's clusters lie here: `postgres` can't enter a clone under a folder of mode 0700, such as /root.
    static let placeForRoot = "/var/lib/welms"

}

extension ClusterDirectory {
    /// The cluster of a data directory that has one.
    init?(in dataDirectory: String) throws(EmbeddedPostgresError) {
        guard let canonical = PrivateFile.canonicalPath(dataDirectory) else { return nil }
        guard let path = PrivateFile.canonicalPath("\(canonical)/postgres"), let status = PrivateFile.status(path) else {
            if errno == ENOENT { return nil }
            guard errno == EACCES, let status = PrivateFile.status(canonical) else { throw .lastSystemError("enter", canonical) }
            let owner = SystemUser.withID(status.st_uid, group: status.st_gid)
            throw .belongsToAnother(directory: canonical, owner: owner.name ?? "user \(owner.id)")
        }
        self.init(dataDirectory: canonical, path: path, owner: SystemUser.withID(status.st_uid, group: status.st_gid))
        guard owner.id != 0 else { throw .noUserToRunAs }
        guard geteuid() == 0 || geteuid() == owner.id else {
            throw .belongsToAnother(directory: canonical, owner: owner.name ?? "user \(owner.id)")
        }
    }

    /// The cluster of a data directory; makes both, empty, where they aren't there.
    static func prepare(in dataDirectory: String) throws(EmbeddedPostgresError) -> ClusterDirectory {
        try makeWithParents(dataDirectory)
        if let existing = try ClusterDirectory(in: dataDirectory) { return existing }
        // A symbolic link that leads nowhere is no invitation to start afresh: the data was there once.
        let place = "\(dataDirectory)/postgres"
        var status = stat()
        guard lstat(place, &status) != 0 else {
            throw .fileSystem(operation: "find the cluster behind", path: place, reason: "the link leads nowhere")
        }
        if geteuid() == 0 {
            guard let user = SystemUser.named("postgres") else { throw .noUserToRunAs }
            if mkdir(placeForRoot, 0o755) == 0 { chmod(placeForRoot, 0o755) }
            let path = try PrivateFile.makeUnpredictableDirectory(prefix: "\(placeForRoot)/", owner: user)
            if symlink(path, place) != 0 {
                rmdir(path)
                // Another server has just made one: its lock decides.
                if errno != EEXIST { throw .lastSystemError("make", place) }
            }
        } else {
            try PrivateFile.makeDirectory(place, owner: .current)
        }
        guard let made = try ClusterDirectory(in: dataDirectory) else { throw .lastSystemError("open", place) }
        return made
    }

    /// A directory of mode 0700 whose socket's path fits into the 107 bytes of `sockaddr_un`.
    func prepareSocketDirectory() throws(EmbeddedPostgresError) -> String {
        let near = "\(path)/socket"
        if "\(near)/.s.PGSQL.\(PostmasterFile.port)".utf8.count <= 107 {
            try PrivateFile.makeDirectory(near, owner: owner)
            return near
        }
        // The link remembers where it went; whoever else sits at that name by now (a cleaned /tmp) is not trusted.
        if let recorded = PrivateFile.canonicalPath(near), let status = PrivateFile.status(recorded),
            status.st_uid == owner.id, status.st_mode & 0o7777 == 0o700
        {
            return recorded
        }
        let far = try PrivateFile.makeUnpredictableDirectory(prefix: "/tmp/welms-", owner: owner)
        unlink(near)
        guard symlink(far, near) == 0 else { throw .lastSystemError("make", near) }
        return far
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
