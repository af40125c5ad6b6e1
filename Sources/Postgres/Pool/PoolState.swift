// The state that a pool's threads and tasks share under the pool's lock.

/// The state of the whole pool. Each connection's state is in its StatementQueue.
struct PoolState {
    /// The pool's life cycle, in this order. An idle pool may also end without running.
    enum Phase {
        case idle
        case running
        case ending
    }

    /// The state of one connection's thread. It changes between connecting and open until it has ended.
    enum ConnectionState {
        /// In libpq's blocking connect, or between two attempts.
        case connecting
        case connected
        case ended
    }

    /// The outcome for a statement that found no open connection.
    enum EnqueueResult {
        case queued
        /// A connection has opened in the meantime.
        case connectionOpened
        case refused(PostgresError)
    }

    var phase = Phase.idle
    var slots: [ConnectionState]
    /// Statements that wait for an open connection, in order.
    var waiting: [QueuedStatement] = []
    /// Why the last connection was lost or could not be opened.
    var reason = "not connected yet"

    init(connections: Int) { slots = Array(repeating: .connecting, count: connections) }

    var isOpen: Bool { slots.contains(.connected) }
    var hasEnded: Bool { slots.allSatisfy { $0 == .ended } }

    /// Queues a statement if no connection is open.
    mutating func enqueue(_ request: QueuedStatement, limit: Int) -> EnqueueResult {
        if phase == .ending { return .refused(.unavailable("the client is shutting down")) }
        if isOpen { return .connectionOpened }
        if waiting.count >= limit { return .refused(.overloaded) }
        waiting.append(request)
        return .queued
    }

    /// Removes and returns all waiting statements.
    mutating func takeWaiting() -> [QueuedStatement] {
        defer { waiting = [] }
        return waiting
    }

    /// Removes the expired statements. Also returns the next deadline.
    mutating func removeExpired(at now: ContinuousClock.Instant) -> (
        expired: [QueuedStatement], next: ContinuousClock.Instant?
    ) {
        let expired = waiting.filter { $0.sendDeadline <= now }
        waiting.removeAll { $0.sendDeadline <= now }
        return (expired, waiting.map(\.sendDeadline).min())
    }
}
