// Small files and directories that only one user may enter, made with the calls of POSIX because owner and mode matter here.
// Used by ClusterDirectory and NewCluster.
import Glibc

/// Files and directories for one user's eyes.
enum PrivateFile {
    /// Reads a text of at most 64 KiB; nil if it isn't there or can't be read.
    static func read(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        return withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { buffer in
            var length = 0
            while length < buffer.count {
                let count = Glibc.read(file, buffer.baseAddress?.advanced(by: length), buffer.count - length)
                if count <= 0 { break }
                length += count
            }
            return String(decoding: buffer[..<length], as: UTF8.self)
        }
    }

    /// Writes a text with mode 0600 for `owner` and sees it on the disk.
    static func write(_ text: String, to path: String, owner: SystemUser) throws(EmbeddedPostgresError) {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw .lastSystemError("write", path) }
        defer { close(file) }
        var text = text
        let isWritten = text.withUTF8 { bytes in Glibc.write(file, bytes.baseAddress, bytes.count) == bytes.count }
        guard isWritten, fchmod(file, 0o600) == 0, give(file, to: owner), fsync(file) == 0 else { throw .lastSystemError("write", path) }
    }

    /// Sees on the disk what a directory holds by which names.
    static func synchronize(_ directory: String) throws(EmbeddedPostgresError) {
        let file = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { throw .lastSystemError("open", directory) }
        defer { close(file) }
        guard fsync(file) == 0 else { throw .lastSystemError("write", directory) }
    }

    /// Makes a directory of mode 0700 for `owner` unless it is there.
    static func makeDirectory(_ path: String, owner: SystemUser) throws(EmbeddedPostgresError) {
        guard mkdir(path, 0o700) == 0 else {
            if errno == EEXIST { return }
            throw .lastSystemError("make", path)
        }
        guard owner.id == geteuid() || chown(path, owner.id, owner.group) == 0 else { throw .lastSystemError("give away", path) }
    }

    /// Makes a directory of mode 0700 whose name begins with `prefix` and can't be guessed.
    static func makeUnpredictableDirectory(prefix: String, owner: SystemUser) throws(EmbeddedPostgresError) -> String {
        var template = Array("\(prefix)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw .lastSystemError("make", "\(prefix)XXXXXX") }
        let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        guard owner.id == geteuid() || chown(path, owner.id, owner.group) == 0 else { throw .lastSystemError("give away", path) }
        return path
    }

    /// The path without symbolic links, `.` and `..`; nil if it leads nowhere.
    static func canonicalPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Owner, group and mode of what lies at the path, or behind the symbolic link there.
    static func status(_ path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    private static func give(_ file: CInt, to owner: SystemUser) -> Bool {
        owner.id == geteuid() || fchown(file, owner.id, owner.group) == 0
    }
}

extension EmbeddedPostgresError {
    /// The error that `errno` tells of.
    static func lastSystemError(_ operation: String, _ path: String) -> EmbeddedPostgresError {
        .fileSystem(operation: operation, path: path, reason: String(cString: strerror(errno)))
    }
}
