// What a pool's threads and tasks share: how many connections are open, who waits for one, and whether the pool is ending.
// Used by PostgresPool only, under its lock.

/// The state of a pool as a whole; what belongs to one connection is in its Mailbox.
struct PoolState {
    /// Where the pool is in its life: each state leads to the next, and a pool that never ran may end.
    enum Phase {
        case idle
        case running
        case ending
    }

    /// Where one connection's thread is: from connecting to open and back each time it is lost, and from either to the end.
    enum Slot {
        /// In libpq's blocking connect, or between two tries.
        case connecting
        case open
        case ended
    }

    /// What becomes of a statement that found no open connection.
    enum Waiting {
        case waiting
        /// A connection has opened in the meantime.
        case tryAgain
        case refused(PostgresError)
    }

    var phase = Phase.idle
    var slots: [Slot]
    /// Statements for which no connection is open, in order.
    var waiting: [Request] = []
    /// Why the last connection could not be opened or was lost.
    var reason = "not connected yet"

    init(connections: Int) { slots = Array(repeating: .connecting, count: connections) }

    var isOpen: Bool { slots.contains(.open) }
    var hasEnded: Bool { slots.allSatisfy { $0 == .ended } }

    /// Lets a statement wait for a connection if none is open.
    mutating func wait(_ request: Request, limit: Int) -> Waiting {
        if phase == .ending { return .refused(.unavailable("the client is shutting down")) }
        if isOpen { return .tryAgain }
        if waiting.count >= limit { return .refused(.overloaded) }
        waiting.append(request)
        return .waiting
    }

    /// Everyone who waits; nobody waits afterwards.
    mutating func takeWaiting() -> [Request] {
        defer { waiting = [] }
        return waiting
    }

    /// Takes out who has waited too long, and says when the next one will have.
    mutating func expire(_ now: ContinuousClock.Instant) -> (expired: [Request], next: ContinuousClock.Instant?) {
        let expired = waiting.filter { $0.deadline <= now }
        waiting.removeAll { $0.deadline <= now }
        return (expired, waiting.map(\.deadline).min())
    }
}
