// The line in which staff's changes stand, and how many of them wait for a row that somebody holds. Staff have one connection: the first who meets such
// a row waits for it there for a moment, and those behind know of it without that. Used by StaffDesk.
import Database
import Synchronization

final class StaffQueue: Sendable {
    /// How many may wait for rows that are held: a shop has some screens, and one taps on one thing at a time.
    static let limit = 64

    private struct State {
        /// Tickets, the first of which has its turn.
        var line: [Int] = []
        var last = 0
        var waiting = 0
    }

    private let state = Mutex(State())

    /// How many wait for a row that somebody holds.
    var waitingCount: Int { state.withLock(\.waiting) }

    /// Joins the line; to be left with this ticket.
    func join() -> Int {
        state.withLock { state in
            state.last &+= 1
            state.line.append(state.last)
            return state.last
        }
    }

    func leave(_ ticket: Int) { state.withLock { $0.line.removeAll { $0 == ticket } } }

    func isFirst(_ ticket: Int) -> Bool { state.withLock { $0.line.first == ticket } }

    /// Counts who waits while `work` does so; nil where as many wait as may.
    func waiting<Value: Sendable>(_ work: () async throws(DatabaseFault) -> Value?) async throws(DatabaseFault) -> Value? {
        let isLet = state.withLock { state in
            if state.waiting < Self.limit { state.waiting += 1 } else { return false }
            return true
        }
        guard isLet else { return nil }
        defer { state.withLock { $0.waiting -= 1 } }
        return try await work()
    }
}
