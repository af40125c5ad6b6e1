// Hands mails in at one SMTP server, one after the other, on a thread of its own: libcurl blocks, and no thread of the cooperative pool may.
// Used by Shop's OrderMailer and by `welms doctor`. Read next: SMTPTransfer.swift, which speaks with the server.
import CCurl
import Glibc
import Synchronization

package final class SMTPClient: Sendable {
    private let inbox = Inbox()
    private let deadline = SMTPDeadline()
    private let server: SMTPServer
    private let limits: SMTPLimits
    private let isStarted = Mutex(false)

    /// A client that connects when there is something to send.
    package init(_ server: SMTPServer, limits: SMTPLimits = SMTPLimits()) { (self.server, self.limits) = (server, limits) }

    deinit { inbox.put(nil) }

    /// Hands a mail in. Cancelled, it has three seconds left: what the server was told all of is better heard to its end.
    package func send(_ message: MailMessage) async -> SMTPOutcome {
        await withTaskCancellationHandler {
            await onThread(orElse: .away("there is no thread for it")) { $0.send(message) }
        } onCancel: {
            deadline.end(in: .seconds(3))
        }
    }

    /// Looks whether the server lets us in; nil where it does.
    package func probe() async -> String? { await onThread(orElse: "there is no thread for it") { $0.probe() } }

    private func onThread<Value: Sendable>(orElse failure: Value, _ work: @escaping @Sendable (SMTPTransfer) -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            guard start() else { return continuation.resume(returning: failure) }
            inbox.put { transfer in continuation.resume(returning: transfer.map(work) ?? failure) }
        }
    }

    /// Whether there is a thread.
    private func start() -> Bool {
        isStarted.withLock { isStarted in
            if isStarted { return true }
            let (inbox, server, limits, deadline) = (inbox, server, limits, deadline)
            isStarted =
                inbox.isOpen
                && Self.startThread {
                    let transfer = SMTPTransfer(server, limits, deadline: deadline)
                    while let work = inbox.next() { work(transfer) }
                }
            return isStarted
        }
    }

    /// A thread on which a server that hangs up is an error and no signal.
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

/// What the thread is to do. Its one reader waits in read(2) on an eventfd.
private final class Inbox: Sendable {
    typealias Work = @Sendable (SMTPTransfer?) -> Void

    private let waiting = Mutex<[Work?]>([])
    private let descriptor = eventfd(0, Int32(EFD_CLOEXEC))

    /// False where the process has no descriptor left.
    var isOpen: Bool { descriptor >= 0 }

    deinit { if isOpen { close(descriptor) } }

    /// Nil ends the thread.
    func put(_ work: Work?) {
        waiting.withLock { $0.append(work) }
        if isOpen { eventfd_write(descriptor, 1) }
    }

    /// Waits for the next one; nil: there is no other.
    func next() -> Work? {
        while true {
            let first: Work?? = waiting.withLock { $0.isEmpty ? .none : .some($0.removeFirst()) }
            if let first { return first }
            var count: eventfd_t = 0
            eventfd_read(descriptor, &count)
        }
    }
}
