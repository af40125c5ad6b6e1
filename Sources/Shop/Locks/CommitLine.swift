// The order in which the jobs of this server wait for rows that servers keep until their slow commits end. One job for
// each row, and at most two jobs, wait in the database. The others wait here, where no statement times out.
import Database
import Synchronization

/// The jobs that wait for slow commits, in their order.
final class CommitLine: Sendable {
    /// A place in the line.
    struct Ticket { fileprivate let number: Int }

    /// How many jobs wait in the database at the same time. Each occupies a connection that other statements share.
    private static let limit = 2

    private struct State {
        /// The waiting jobs with their rows, by the time of joining.
        var waiting: [(number: Int, rows: Set<ContestedRow>)] = []
        var last = 0
    }

    private let state = Mutex(State())

    /// Whether no job waits, as nearly always.
    var isEmpty: Bool { state.withLock(\.waiting.isEmpty) }

    /// Whether a job waits for one of the rows.
    func contains(anyOf rows: Set<ContestedRow>) -> Bool {
        state.withLock { $0.waiting.contains { !$0.rows.isDisjoint(with: rows) } }
    }

    /// Joins the line as the last job.
    func join(for rows: Set<ContestedRow>) -> Ticket {
        state.withLock { state in
            state.last &+= 1
            state.waiting.append((state.last, rows))
            return Ticket(number: state.last)
        }
    }

    func leave(_ ticket: Ticket) {
        state.withLock { $0.waiting.removeAll { $0.number == ticket.number } }
    }

    /// Whether the job may wait in the database now: no earlier job waits for one of its rows, and fewer than two
    /// earlier jobs wait in the database.
    func isFirst(_ ticket: Ticket) -> Bool {
        state.withLock { state in
            var earlier = 0
            for (index, job) in state.waiting.enumerated() {
                let isFirst = state.waiting[..<index].allSatisfy { $0.rows.isDisjoint(with: job.rows) }
                if job.number == ticket.number { return isFirst && earlier < Self.limit }
                if isFirst { earlier += 1 }
            }
            return true
        }
    }
}
