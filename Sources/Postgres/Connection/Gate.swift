// A door that opens once and lets through everyone who waits for it. The pool and a connection wait here for the end of their threads.
import Synchronization

/// Tasks wait until it is opened.
final class Gate: Sendable {
    private enum State {
        case shut([CheckedContinuation<Void, Never>])
        case open
    }

    private let state = Mutex(State.shut([]))

    /// Returns at once when the gate is open already. Not ended by cancellation: what is waited for is bounded by its own deadlines.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                guard case .shut(let waiting) = state else { return true }
                state = .shut(waiting + [continuation])
                return false
            }
            if isOpen { continuation.resume() }
        }
    }

    /// Lets everybody through, now and later.
    func open() {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            guard case .shut(let waiting) = state else { return [] }
            state = .open
            return waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
