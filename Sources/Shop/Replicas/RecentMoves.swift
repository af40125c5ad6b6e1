// The orders that moved a moment ago: a replica may not know yet, so they are read from the primary. Fed by Announcements, as every step
// of an order is announced whoever made it; asked by GuestOrders. Read next: ReadReplicas.swift.
import Database
import Ordering
import Synchronization

/// Remembers orders that moved for as long as a replica that is read may be behind.
final class RecentMoves: Sendable {
    /// Beyond this everything is read from the primary, for as long as one of them would be remembered.
    private static let limit = 10_000

    private struct State {
        var moved: [OrderID: ContinuousClock.Instant] = [:]
        /// Until then a move may have been missed, since nobody listened or there were too many.
        var incompleteUntil: ContinuousClock.Instant?
        var isListening = false
    }

    private let memory: Duration
    private let state = Mutex(State())

    /// - Parameter memory: How far a replica that is read can be behind.
    init(memory: Duration) { self.memory = memory }

    /// Whether no move of this order was made of which a replica may not know.
    func isSettled(_ order: OrderID, at now: ContinuousClock.Instant = .now) -> Bool {
        state.withLock { state in
            guard state.isListening, state.incompleteUntil.map({ $0 <= now }) ?? true else { return false }
            return state.moved[order].map { $0 + memory <= now } ?? true
        }
    }

    /// The order has moved.
    func note(_ order: OrderID, at now: ContinuousClock.Instant = .now) {
        state.withLock { state in
            if state.moved.count >= Self.limit { state.moved = state.moved.filter { $0.value + memory > now } }
            if state.moved.count < Self.limit { state.moved[order] = now } else { state.incompleteUntil = now + memory }
        }
    }
}

extension RecentMoves: AnnouncementListener {
    func listeningBegan() {
        state.withLock { state in
            state.isListening = true
            state.incompleteUntil = .now + memory
        }
    }

    func listeningEnded() { state.withLock { $0.isListening = false } }

    func announced(_ announcement: Announcement) { if case .orderMoved(let order, _) = announcement { note(order) } }
}
