// An advisory lock on a file in the cluster's directory, so that one process at a time uses the cluster.
import Glibc

/// The lock on a cluster's directory. The kernel releases it when the process ends in any way.
/// No child process inherits it: the descriptor closes on exec (flock(2), open(2) O_CLOEXEC).
final class DirectoryLock: Sendable {
    private let file: CInt

    private init(file: CInt) { self.file = file }

    deinit {
        // Closing is not enough: a child between its fork and its exec still has the descriptor and thus the lock.
        flock(file, LOCK_UN)
        close(file)
    }

    /// Acquires the lock. Throws an error with the holder's process id if another process holds it.
    ///
    /// A killed process keeps the lock until the kernel has removed the process. So the call retries for one second.
    static func acquire(_ directory: ClusterDirectory) async throws(EmbeddedPostgresError) -> DirectoryLock {
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
        // A lock file that root creates belongs to the cluster's owner, because either of the two may open it next.
        let text = "\(getpid())\n"
        guard geteuid() == directory.owner.id || fchown(file, directory.owner.id, directory.owner.group) == 0,
            ftruncate(file, 0) == 0, pwrite(file, text, text.utf8.count, 0) == text.utf8.count
        else { throw .lastSystemError("write", directory.lock) }
        return lock
    }
}
