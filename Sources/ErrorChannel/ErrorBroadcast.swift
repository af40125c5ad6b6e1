// Broadcasts faults and recoveries to all subscribers and derives the system's condition from the open faults. A lock
// instead of an actor, because publishing must never wait. All memory is bounded. share() of swift-async-algorithms
// stores no events for a resume and does not count missed ones.
import Synchronization

/// The error channel. Times are parameters, in microseconds since 1970 UTC.
package final class ErrorBroadcast: Sendable {
    /// The number of stored events, and the number of events by which a subscriber may lag before it misses some.
    package static let capacity = 256
    /// The maximum number of subjects with an open fault. Beyond it, a fault of another subject is dropped.
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

    /// Creates a healthy broadcast without events. `epoch` distinguishes this run from others: random, or a start time.
    package init(epoch: UInt64 = .random(in: .min ... .max), listenerLimit: Int = 1024) {
        let hex = String(epoch, radix: 16)
        self.epoch = String(repeating: "0", count: 16 - hex.count) + hex
        self.listenerLimit = listenerLimit
    }

    /// Announces that a fault began. A fault with the same subject and code that is already open is not announced a
    /// second time; a fault with another code replaces it.
    /// - Returns: Whether the fault was announced. The publisher logs its `logMessage` only then.
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

    /// Announces once that the subject has recovered, if it has an open fault.
    /// - Parameter message: A sentence for guests, such as `The menu is up to date again.`
    /// - Returns: The fault that has ended, or nil if none was open.
    @discardableResult
    package func recover(subject: String, message: String, at now: Int64) -> SystemFault? {
        state.withLock { state in
            guard let fault = state.open.removeValue(forKey: subject) else { return nil }
            let recovery = SystemFault(
                code: fault.code, subject: subject, link: fault.link, message: message,
                logMessage: "over: \(fault.logMessage)")
            announce(recovery, .recovery, now, &state)
            return fault
        }
    }

    /// Whether any fault is open.
    package var condition: Condition { state.withLock { $0.open.isEmpty ? .healthy : .degraded } }

    /// The condition and the stored events, newest first, read under one lock.
    package var snapshot: (condition: Condition, events: [ErrorEvent]) {
        state.withLock { ($0.open.isEmpty ? .healthy : .degraded, $0.events.reversed()) }
    }

    /// Subscribes to the events.
    /// - Parameter after: The last event that the subscriber knows. It receives the stored events after that one. After
    ///   an event of another run or with an unknown number it receives all stored events; nil: only new events.
    /// - Returns: nil if the limit of subscribers is reached.
    package func subscribe(after: EventID? = nil) -> ErrorSubscription? {
        let (events, continuation) = AsyncStream.makeStream(
            of: ErrorEvent.self, bufferingPolicy: .bufferingNewest(Self.capacity))
        let started: (listener: Int64, known: Int64)? = state.withLock { state in
            guard state.listeners.count < listenerLimit else { return nil }
            let known = lastKnownNumber(after, state)
            for event in state.events where event.id.number > known { continuation.yield(event) }
            state.subscribed += 1
            state.listeners[state.subscribed] = continuation
            return (state.subscribed, known)
        }
        guard let started else { return nil }
        // Set outside the lock: if the stream has already ended, the handler runs immediately and takes the lock
        // itself.
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: started.listener) }
        }
        return ErrorSubscription(events: events, continuation: continuation, known: started.known)
    }

    /// The number of events that were dropped from the buffers of slow subscribers.
    package var missedCount: Int64 { state.withLock { $0.missed } }

    /// The number of current subscribers.
    package var subscriberCount: Int { state.withLock { $0.listeners.count } }

    private func lastKnownNumber(_ after: EventID?, _ state: State) -> Int64 {
        guard let after else { return state.published }
        if after.epoch == epoch, after.number <= state.published { return after.number }
        return state.published - Int64(state.events.count)
    }

    /// Called under the lock, so that every subscriber sees the same order. Yielding to an AsyncStream never waits.
    private func announce(_ fault: SystemFault, _ kind: ErrorEvent.Kind, _ now: Int64, _ state: inout State) {
        state.published += 1
        let event = ErrorEvent(
            id: EventID(epoch: epoch, number: state.published), publishedAt: now, kind: kind, fault: fault)
        if state.events.count == Self.capacity { state.events.removeFirst() }
        state.events.append(event)
        for listener in state.listeners.values {
            if case .dropped = listener.yield(event) { state.missed += 1 }
        }
    }
}
