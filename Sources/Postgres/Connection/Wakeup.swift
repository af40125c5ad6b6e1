// Wakes a connection's thread from poll(2) with an eventfd (https://man7.org/linux/man-pages/man2/eventfd.2.html).
import CLibPQ
import Glibc

/// A descriptor that becomes readable when a task signals it.
final class Wakeup: Sendable {
    let descriptor: Int32

    /// Throws when the process has no free descriptor.
    init() throws(PostgresError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else { throw .unavailable("eventfd: \(String(cString: strerror(errno)))") }
    }

    deinit {
        Glibc.close(descriptor)
    }

    /// Makes the descriptor readable until `clear`.
    func signal() {
        // Fails only at a count of 2^64 - 2, and then the descriptor is readable anyway.
        eventfd_write(descriptor, 1)
    }

    /// Makes the descriptor unreadable again.
    func clear() {
        var count: eventfd_t = 0
        eventfd_read(descriptor, &count)
    }
}
