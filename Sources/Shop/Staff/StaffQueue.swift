// Orders the actions of staff, who share one connection, and counts those that wait for a locked row. Only the first
// action waits for a row in the database. After its time-out, the others know that the row is locked.
import Database
import Synchronization

/// The queue of staff actions.
final class StaffQueue: Sendable {
    /// How many actions may wait for locked rows. A shop has few screens, each with one action at a time.
    static let limit = 64
    /// How long an action waits for the actions before it. Each of them may wait for some slow commits.
    static let lineLimit = Duration.seconds(10)

    private struct State {
        /// The tickets; the first one may run.
        var tickets: [Int] = []
        var last = 0
        var waiting = 0
    }

    private let state = Mutex(State())

    /// How many actions wait for a locked row.
    var waitingCount: Int { state.withLock(\.waiting) }

    /// Joins the queue and returns a ticket, with which to leave it.
    func join() -> Int {
        state.withLock { state in
            state.last &+= 1
            state.tickets.append(state.last)
            return state.last
        }
    }

    func leave(_ ticket: Int) { state.withLock { $0.tickets.removeAll { $0 == ticket } } }

    func isFirst(_ ticket: Int) -> Bool { state.withLock { $0.tickets.first == ticket } }

    /// Counts the action as waiting while `work` runs; nil if too many actions wait.
    func countingAsWaiting<Value: Sendable>(_ work: () async throws(DatabaseFault) -> Value?)
        async throws(DatabaseFault) -> Value?
    {
        let hasCapacity = state.withLock { state in
            if state.waiting < Self.limit { state.waiting += 1 } else { return false }
            return true
        }
        guard hasCapacity else { return nil }
        defer { state.withLock { $0.waiting -= 1 } }
        return try await work()
    }
}
