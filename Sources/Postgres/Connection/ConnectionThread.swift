// Starts the threads that own connections. POSIX threads, because the threads of Swift's cooperative pool must never
// block.
import Glibc

/// Runs `body` on a new thread. Throws when the system cannot create one.
func startThread(_ body: @escaping @Sendable () -> Void) throws(PostgresError) {
    let box = Unmanaged.passRetained(ThreadBody(run: body))
    var thread = pthread_t()
    let code = pthread_create(
        &thread, nil,
        { context in
            guard let context else { return nil }
            let body = Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue()
            body.run()
            return nil
        }, box.toOpaque())
    guard code == 0 else {
        box.release()
        throw .unavailable("pthread_create: \(String(cString: strerror(code)))")
    }
    pthread_detach(thread)
}

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) { self.run = run }
}
