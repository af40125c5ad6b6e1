// Remembers the orders whose state changed a moment ago, so that they are read from the primary. Every change arrives
// as a notification, whichever server or session made it.
import Database
import Ordering
import Synchronization

/// Remembers changed orders for as long as a replica in use may be behind.
final class RecentlyChangedOrders: Sendable {
    /// Beyond this number everything is read from the primary for a while.
    private static let limit = 10_000

    private struct State {
        var moved: [OrderID: ContinuousClock.Instant] = [:]
        /// Until then, changes may be missing, because the server did not listen or too many orders changed.
        var incompleteUntil: ContinuousClock.Instant?
        var isListening = false
    }

    private let memory: Duration
    private let state = Mutex(State())

    /// - Parameter memory: How far a replica in use can be behind.
    init(memory: Duration) { self.memory = memory }

    /// Whether every replica in use has the newest state of the order.
    func isSettledOnReplicas(_ order: OrderID, at now: ContinuousClock.Instant = .now) -> Bool {
        state.withLock { state in
            guard state.isListening, state.incompleteUntil.map({ $0 <= now }) ?? true else { return false }
            return state.moved[order].map { $0 + memory <= now } ?? true
        }
    }

    /// Records a change of the order.
    func record(_ order: OrderID, at now: ContinuousClock.Instant = .now) {
        state.withLock { state in
            if state.moved.count >= Self.limit { state.moved = state.moved.filter { $0.value + memory > now } }
            if state.moved.count < Self.limit { state.moved[order] = now } else { state.incompleteUntil = now + memory }
        }
    }
}

extension RecentlyChangedOrders: NotificationObserver {
    func listeningBegan() {
        state.withLock { state in
            state.isListening = true
            state.incompleteUntil = .now + memory
        }
    }

    func listeningEnded() { state.withLock { $0.isListening = false } }

    func received(_ announcement: DatabaseNotification) {
        if case .orderMoved(let order, _) = announcement { record(order) }
    }
}
