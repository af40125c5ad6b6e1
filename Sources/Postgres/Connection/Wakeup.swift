// How a task wakes a connection's thread out of poll(2): an eventfd (https://man7.org/linux/man-pages/man2/eventfd.2.html).
// Used by Mailbox. Read next: Mailbox.swift.
import CLibPQ
import Glibc

/// A descriptor that becomes readable when it is signalled.
final class Wakeup: Sendable {
    let descriptor: Int32

    /// Throws when the process has no descriptor left.
    init() throws(PostgresError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else { throw .unavailable("eventfd: \(String(cString: strerror(errno)))") }
    }

    deinit {
        Glibc.close(descriptor)
    }

    /// Makes the descriptor readable; it stays so until `clear`.
    func signal() {
        // The only failure is a counter of 2^64 - 2, which is as readable as one can be.
        eventfd_write(descriptor, 1)
    }

    func clear() {
        var count: eventfd_t = 0
        eventfd_read(descriptor, &count)
    }
}
