// Sends mails to one SMTP server, one at a time. Runs on a thread of its own, because libcurl blocks and a thread of
// the cooperative pool must not.
import CCurl
import Glibc
import Synchronization

/// Sends mails to one SMTP server.
package final class SMTPClient: Sendable {
    private let workQueue = WorkQueue()
    private let deadline = SMTPDeadline()
    private let server: SMTPServer
    private let limits: SMTPLimits
    private let isStarted = Mutex(false)

    /// Makes a client that connects when it first sends a mail.
    package init(_ server: SMTPServer, limits: SMTPLimits = SMTPLimits()) {
        (self.server, self.limits) = (server, limits)
    }

    deinit { workQueue.put(nil) }

    /// Sends a mail. After a cancellation the transfer may take three more seconds, because the outcome is unknown
    /// without the server's reply.
    package func send(_ message: MailMessage) async -> SMTPOutcome {
        await withTaskCancellationHandler {
            await onThread(orElse: .unreachable("the mail thread could not be started")) { $0.send(message) }
        } onCancel: {
            deadline.shorten(to: .seconds(3))
        }
    }

    /// Checks that the server accepts a connection and the login. Returns nil on success, otherwise the reason.
    package func probe() async -> String? {
        await onThread(orElse: "the mail thread could not be started") { $0.probe() }
    }

    private func onThread<Value: Sendable>(orElse failure: Value, _ work: @escaping @Sendable (SMTPTransfer) -> Value)
        async -> Value
    {
        await withCheckedContinuation { continuation in
            guard start() else { return continuation.resume(returning: failure) }
            workQueue.put { transfer in continuation.resume(returning: transfer.map(work) ?? failure) }
        }
    }

    /// Starts the thread if necessary. Returns whether it runs.
    private func start() -> Bool {
        isStarted.withLock { isStarted in
            if isStarted { return true }
            let (workQueue, server, limits, deadline) = (workQueue, server, limits, deadline)
            isStarted =
                workQueue.isOpen
                && Self.startThread {
                    let transfer = SMTPTransfer(server, limits, deadline: deadline)
                    while let work = workQueue.next() { work(transfer) }
                }
            return isStarted
        }
    }

    /// Starts a thread that blocks SIGPIPE, so that a closed connection is an error and not a signal.
    private static func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
        let box = Unmanaged.passRetained(ThreadBody(run: body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                var signals = sigset_t()
                sigemptyset(&signals)
                sigaddset(&signals, SIGPIPE)
                pthread_sigmask(SIG_BLOCK, &signals, nil)
                Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, box.toOpaque())
        if code != 0 { box.release() } else { pthread_detach(thread) }
        return code == 0
    }
}

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) { self.run = run }
}

/// The queue of the thread's work. The thread is its only reader and waits in read(2) on an eventfd.
private final class WorkQueue: Sendable {
    typealias Work = @Sendable (SMTPTransfer?) -> Void

    private let waiting = Mutex<[Work?]>([])
    private let descriptor = eventfd(0, Int32(EFD_CLOEXEC))

    /// False if the process has no file descriptor left.
    var isOpen: Bool { descriptor >= 0 }

    deinit { if isOpen { close(descriptor) } }

    /// Appends work; nil ends the thread.
    func put(_ work: Work?) {
        waiting.withLock { $0.append(work) }
        if isOpen { eventfd_write(descriptor, 1) }
    }

    /// Waits for the next work; nil ends the thread.
    func next() -> Work? {
        while true {
            let first: Work?? = waiting.withLock { $0.isEmpty ? .none : .some($0.removeFirst()) }
            if let first { return first }
            var count: eventfd_t = 0
            eventfd_read(descriptor, &count)
        }
    }
}
