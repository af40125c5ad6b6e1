// A value behind a lock: Synchronization's Mutex, with one addition for ThreadSanitizer. When two threads contend for a Mutex on Linux, the
// lock passes from one to the other in the kernel, out of the sanitizer's sight, and it would report a race that is none.
// Used for all that is shared here: Mailbox, Query, Gate, PostgresPool.

import Synchronization

/// A value that one thread at a time may touch.
struct Guarded<Value: Sendable>: ~Copyable, Sendable {
    private let mutex: Mutex<Value>
    /// Written by who leaves and read by who enters, which tells the sanitizer what the lock has ensured already; a plain load and store on
    /// x86-64 and little more elsewhere.
    private let handover = Atomic(false)

    init(_ value: Value) {
        mutex = Mutex(value)
    }

    /// Runs `body` while no other thread does.
    borrowing func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        mutex.withLock { value in
            _ = handover.load(ordering: .acquiring)
            defer { handover.store(true, ordering: .releasing) }
            return body(&value)
        }
    }
}
