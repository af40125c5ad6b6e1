// The broadcast of faults and recoveries to all who listen, and the condition they add up to. A lock and no actor: publishing must not wait for
// anybody; all memory is bounded. Made by `welms serve`, published to by Web's ShopHealth, listened to by Web's ErrorRoutes.
import Synchronization

/// The error channel. Time comes in as a value, microseconds since 1970 UTC.
package final class ErrorBroadcast: Sendable {
    /// How many events are remembered, and how many a listener may be behind before it misses some.
    package static let capacity = 256
    /// How many subjects can be broken at one time; a fault beyond is still broadcast by the next publish that finds room.
    static let openLimit = 256

    private struct State {
        var events: [ErrorEvent] = []
        var published: Int64 = 0
        var open: [String: SystemFault] = [:]
        var listeners: [Int64: AsyncStream<ErrorEvent>.Continuation] = [:]
        var subscribed: Int64 = 0
        var missed: Int64 = 0
    }

    private let epoch: String
    private let listenerLimit: Int
    private let state = Mutex(State())

    /// A healthy system without events. `epoch` tells this life from others: something random, or a start time.
    package init(epoch: UInt64 = .random(in: .min ... .max), listenerLimit: Int = 1024) {
        let hex = String(epoch, radix: 16)
        self.epoch = String(repeating: "0", count: 16 - hex.count) + hex
        self.listenerLimit = listenerLimit
    }

    /// Tells everyone that a fault began. While the subject has an open fault of this code nothing is told again; another code replaces it.
    /// - Returns: Whether it was news; the publisher logs `logMessage` then.
    @discardableResult
    package func publish(_ fault: SystemFault, at now: Int64) -> Bool {
        state.withLock { state in
            guard state.open[fault.subject]?.code != fault.code else { return false }
            guard state.open[fault.subject] != nil || state.open.count < Self.openLimit else { return false }
            state.open[fault.subject] = fault
            announce(fault, .fault, now, &state)
            return true
        }
    }

    /// Tells everyone that the subject is well again, once, if a fault was open.
    /// - Parameter message: For guests, e.g. `The menu is up to date again.`
    /// - Returns: The fault that is over, nil if there was none.
    @discardableResult
    package func recover(subject: String, message: String, at now: Int64) -> SystemFault? {
        state.withLock { state in
            guard let fault = state.open.removeValue(forKey: subject) else { return nil }
            let recovery = SystemFault(
                code: fault.code, subject: subject, link: fault.link, message: message, logMessage: "over: \(fault.logMessage)")
            announce(recovery, .recovery, now, &state)
            return fault
        }
    }

    package var condition: Condition { state.withLock { $0.open.isEmpty ? .healthy : .degraded } }

    /// The condition and the remembered events, newest first, of one moment.
    package var snapshot: (condition: Condition, events: [ErrorEvent]) {
        state.withLock { ($0.open.isEmpty ? .healthy : .degraded, $0.events.reversed()) }
    }

    /// Starts to listen.
    /// - Parameter after: The last event the listener knows: it gets what came since, as far as it is remembered, and how many are lost.
    ///   An event of another life, or one that never was, gets the whole ring; nil gets only what happens from now on.
    /// - Returns: nil if there are too many listeners.
    package func subscribe(after: EventID? = nil) -> ErrorSubscription? {
        let (events, continuation) = AsyncStream.makeStream(of: ErrorEvent.self, bufferingPolicy: .bufferingNewest(Self.capacity))
        let started: (listener: Int64, known: Int64)? = state.withLock { state in
            guard state.listeners.count < listenerLimit else { return nil }
            let known = knownNumber(after, state)
            for event in state.events where event.id.number > known { continuation.yield(event) }
            state.subscribed += 1
            state.listeners[state.subscribed] = continuation
            return (state.subscribed, known)
        }
        guard let started else { return nil }
        // Set outside the lock: if the stream has ended already, the handler runs at once and takes the lock itself.
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: started.listener) }
        }
        return ErrorSubscription(events: events, continuation: continuation, known: started.known)
    }

    /// How many events fell out of the buffers of listeners that were too slow.
    package var missedCount: Int64 { state.withLock { $0.missed } }

    package var listenerCount: Int { state.withLock { $0.listeners.count } }

    private func knownNumber(_ after: EventID?, _ state: State) -> Int64 {
        guard let after else { return state.published }
        if after.epoch == epoch, after.number <= state.published { return after.number }
        return state.published - Int64(state.events.count)
    }

    /// Under the lock, so that every listener sees the same order; yielding to an AsyncStream never waits.
    private func announce(_ fault: SystemFault, _ kind: ErrorEvent.Kind, _ now: Int64, _ state: inout State) {
        state.published += 1
        let event = ErrorEvent(id: EventID(epoch: epoch, number: state.published), at: now, kind: kind, fault: fault)
        if state.events.count == Self.capacity { state.events.removeFirst() }
        state.events.append(event)
        for listener in state.listeners.values {
            if case .dropped = listener.yield(event) { state.missed += 1 }
        }
    }
}
