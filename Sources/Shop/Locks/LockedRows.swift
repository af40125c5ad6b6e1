// Which rows somebody holds, in a transaction that they may have forgotten. Whoever wants one of them waits here and not in the database, where a
// connection would wait along with all who share it; once one call has met such a row, no other one tries it until it is free.
// Asked by CheckoutQueue, CancellationQueue, StaffDesk and AcceptanceWatch; run as a service by RunningShop. Read next: Sources/Database/Locks/LoadLockedRows.swift.
import Database
import ServiceLifecycle
import Synchronization

package final class LockedRows: Service {
    /// For how long a request waits for what somebody holds, in all: with the work itself a guest has an answer within a second.
    static let patience = Duration.milliseconds(900)
    /// How often it looks while something is held.
    private static let interval = Duration.milliseconds(250)
    /// What is held for longer is told: staff's edits hold a row for a moment.
    private static let toldAfter = Duration.seconds(1)

    private struct Hold {
        let since: ContinuousClock.Instant
        /// The number of the transaction that does not let go.
        let holder: Int64
    }

    private struct State {
        /// What is known to be held.
        var rows: [ContestedRow: Hold] = [:]
        var isTold = false
    }

    private let database: ShopDatabase
    private let between: @Sendable () async -> Void
    private let onHealthChange: @Sendable (Health) -> Void
    private let state = Mutex(State())
    private let found = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// - Parameters:
    ///   - between: Waits between the two looks at a row that may be held: our own calls hold one for a commit.
    ///   - onHealthChange: Told when something is held for long, and when nothing is any more; it must not block.
    init(
        database: ShopDatabase, between: @escaping @Sendable () async -> Void = { try? await Task.sleep(for: .milliseconds(100)) },
        onHealthChange: @escaping @Sendable (Health) -> Void
    ) {
        (self.database, self.between, self.onHealthChange) = (database, between, onHealthChange)
    }

    /// Whether nothing is known to be held, as nearly always.
    var isEmpty: Bool { state.withLock { $0.rows.isEmpty } }

    /// Whether one of these is known to be held.
    func holds(anyOf rows: Set<ContestedRow>) -> Bool {
        state.withLock { state in !state.rows.isEmpty && rows.contains { state.rows[$0] != nil } }
    }

    /// Those of the rows that somebody holds and does not let go, which are remembered until they are free. A row that is held by one call of ours after
    /// the other, because many want it, is none of them.
    func find(among rows: Set<ContestedRow>) async throws(DatabaseFault) -> Set<ContestedRow> {
        let first = try await database.loadLockedRows(among: rows)
        guard !first.isEmpty else { return [] }
        await between()
        let locked = try await database.loadLockedRows(among: Set(first.keys)).filter { first[$0.key] == $0.value }
        guard !locked.isEmpty else { return [] }
        let now = ContinuousClock.now
        state.withLock { state in
            for (row, holder) in locked where state.rows[row]?.holder != holder { state.rows[row] = Hold(since: now, holder: holder) }
        }
        found.continuation.yield()
        return Set(locked.keys)
    }

    /// Looks at what is held until it is free, and until the server shuts down.
    package func run() async {
        await cancelWhenGracefulShutdown {
            for await _ in self.found.stream {
                while !self.isEmpty, !Task.isCancelled {
                    try? await Task.sleep(for: Self.interval)
                    await self.look()
                }
            }
        }
    }

    private func look() async {
        let known = state.withLock(\.rows)
        // The pool tells of a database that is away; what was held may be so still.
        guard let locked = try? await database.loadLockedRows(among: Set(known.keys)) else { return }
        let now = ContinuousClock.now
        let health: Health? = state.withLock { state in
            state.rows = state.rows.filter { row, hold in known[row]?.holder != hold.holder || locked[row] == hold.holder }
            let held = state.rows.filter { now - $0.value.since >= Self.toldAfter }.keys
            guard held.isEmpty == state.isTold else { return nil }
            state.isTold = !held.isEmpty
            if held.isEmpty { return .healthy }
            let names = held.map(\.description).sorted().joined(separator: ", ")
            return .failing(
                "somebody has changed rows in a transaction that is still open, and whoever wants them is refused: \(names); "
                    + "pg_stat_activity says who is idle in transaction")
        }
        if let health { onHealthChange(health) }
    }
}
