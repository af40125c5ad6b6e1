// A one-time event. A pool and a connection use it to wait for the end of their threads.
import Synchronization

/// An event that is signalled once. Tasks wait for it.
final class OneTimeEvent: Sendable {
    private enum State {
        case unsignalled([CheckedContinuation<Void, Never>])
        case signalled
    }

    private let state = Mutex(State.unsignalled([]))

    /// Waits until the event is signalled. Ignores cancellation, because the awaited threads have their own deadlines.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isSignalled = state.withLock { state in
                guard case .unsignalled(let waiting) = state else { return true }
                state = .unsignalled(waiting + [continuation])
                return false
            }
            if isSignalled { continuation.resume() }
        }
    }

    /// Resumes all waiting tasks, and lets later ones pass.
    func signal() {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            guard case .unsignalled(let waiting) = state else { return [] }
            state = .signalled
            return waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
