// Small files and directories for one user, created with POSIX calls because owner and mode matter.
import Glibc

/// Functions for files and directories that only one user can access.
enum PrivateFile {
    /// Returns the first 64 KiB of a text file and ignores the rest; nil if the file cannot be opened.
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

    /// Writes a text with mode 0600 for `owner` and flushes it to the disk.
    static func write(_ text: String, to path: String, owner: SystemUser) throws(EmbeddedPostgresError) {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw .lastSystemError("write", path) }
        defer { close(file) }
        var text = text
        let isWritten = text.withUTF8 { bytes in Glibc.write(file, bytes.baseAddress, bytes.count) == bytes.count }
        guard isWritten, fchmod(file, 0o600) == 0, setOwner(of: file, to: owner), fsync(file) == 0 else {
            throw .lastSystemError("write", path)
        }
    }

    /// Flushes the entries of a directory to the disk.
    static func synchronize(_ directory: String) throws(EmbeddedPostgresError) {
        let file = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { throw .lastSystemError("open", directory) }
        defer { close(file) }
        guard fsync(file) == 0 else { throw .lastSystemError("write", directory) }
    }

    /// Makes a directory of mode 0700 for `owner` unless it exists.
    static func makeDirectory(_ path: String, owner: SystemUser) throws(EmbeddedPostgresError) {
        guard mkdir(path, 0o700) == 0 else {
            if errno == EEXIST { return }
            throw .lastSystemError("make", path)
        }
        guard owner.id == geteuid() || chown(path, owner.id, owner.group) == 0 else {
            throw .lastSystemError("change the owner of", path)
        }
    }

    /// Makes a directory of mode 0700 whose name begins with `prefix` and cannot be guessed.
    static func makeUnpredictableDirectory(prefix: String, owner: SystemUser) throws(EmbeddedPostgresError) -> String {
        var template = Array("\(prefix)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw .lastSystemError("make", "\(prefix)XXXXXX") }
        let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        guard owner.id == geteuid() || chown(path, owner.id, owner.group) == 0 else {
            throw .lastSystemError("change the owner of", path)
        }
        return path
    }

    /// The path without symbolic links, `.` and `..`; nil if it does not exist.
    static func canonicalPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The owner, group and mode of the file at the path. Follows symbolic links.
    static func status(_ path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    private static func setOwner(of file: CInt, to owner: SystemUser) -> Bool {
        owner.id == geteuid() || fchown(file, owner.id, owner.group) == 0
    }
}

extension EmbeddedPostgresError {
    /// The error that `errno` describes.
    static func lastSystemError(_ operation: String, _ path: String) -> EmbeddedPostgresError {
        .fileSystem(operation: operation, path: path, reason: String(cString: strerror(errno)))
    }
}
