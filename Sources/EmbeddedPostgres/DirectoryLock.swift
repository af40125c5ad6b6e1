// One server for one cluster: an advisory lock on a file in its directory, held as long as the value lives.
// Taken by EmbeddedPostgres.start before anything in the directory is touched.
import Glibc

/// The lock on a cluster's directory. The kernel lets go of it when the process ends in whatever way,
/// and no child has it: the descriptor closes on exec (flock(2), open(2) O_CLOEXEC).
final class DirectoryLock: Sendable {
    private let file: CInt

    private init(file: CInt) { self.file = file }

    deinit {
        // Closing alone would not do: a child that stands between its fork and its exec still has the descriptor, and with it the lock.
        flock(file, LOCK_UN)
        close(file)
    }

    /// Takes the lock, or says who has it.
    ///
    /// A killed process holds it until the kernel has taken that process apart, so a second is waited for it.
    static func take(_ directory: ClusterDirectory) async throws(EmbeddedPostgresError) -> DirectoryLock {
        let file = open(directory.lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw .lastSystemError("open", directory.lock) }
        let lock = DirectoryLock(file: file)
        for attempt in 1...10 {
            if flock(file, LOCK_EX | LOCK_NB) == 0 { break }
            guard errno == EWOULDBLOCK || errno == EINTR else { throw .lastSystemError("lock", directory.lock) }
            guard attempt < 10 else {
                let holder = PrivateFile.read(directory.lock)?.split(separator: "\n").first.flatMap { Int32($0) }
                throw .alreadyInUse(directory: directory.dataDirectory, pid: holder)
            }
            do { try await Task.sleep(for: .milliseconds(100)) } catch { throw .cancelled }
        }
        // Root's lock has to stay the owner's: whoever of the two comes next opens it.
        let text = "\(getpid())\n"
        guard geteuid() == directory.owner.id || fchown(file, directory.owner.id, directory.owner.group) == 0,
            ftruncate(file, 0) == 0, pwrite(file, text, text.utf8.count, 0) == text.utf8.count
        else { throw .lastSystemError("write", directory.lock) }
        return lock
    }
}
